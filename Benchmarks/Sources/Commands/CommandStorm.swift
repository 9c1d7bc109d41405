import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// Thousands of commands that are sent at once to an engine which plays, all for the next block.
enum CommandStorm: String, CaseIterable {
    case faders = "8,000 faders"
    case mutes = "8,000 mutes"
    case launches = "8,000 launches"
    case tempos = "8,000 tempos"
    case unloading = "960 clips unloaded"
    case mixed = "8,000 of all kinds"

    private static let count = 8_000
    private static let tracks = 64
    private static let clipsPerTrack = 15

    /// Microseconds of each callback: before the storm, in it and after it.
    func callbacks() throws -> [Double] {
        let engine = Engine(
            EngineConfiguration(
                trackCount: CommandStorm.tracks, clipCapacity: 1_024, commandCapacity: 8_192, launchQuantization: .none,
                firstLaunch: .immediate))
        let loop = (0..<96_000).map { Float(($0 * 7_919) % 1_000) / 2_000 - 0.25 }
        let buffer = SampleBuffer(left: loop, right: loop.reversed(), sampleRate: .standard)
        var clips: [ClipHandle] = []
        for place in 0..<CommandStorm.tracks * CommandStorm.clipsPerTrack {
            let settings = ClipSettings(track: TrackIndex(place % CommandStorm.tracks), beats: 4)
            clips.append(try engine.launcher.load(buffer, settings: settings))
        }
        for clip in clips.prefix(CommandStorm.tracks) { try engine.launcher.launch(clip) }
        let output = BlockOutput()
        return try (0..<1_000).map { number in
            if number == 100 { try send(to: engine, clips) }
            let start = threadNanoseconds()
            output.render(engine)
            return Double(threadNanoseconds() - start) * 1e-3
        }
    }

    private func send(to engine: Engine, _ clips: [ClipHandle]) throws {
        if case .unloading = self { return try clips.forEach { try engine.launcher.unload($0) } }
        for number in 0..<CommandStorm.count {
            let strip = engine.mixer[.track(TrackIndex(number * 7 % CommandStorm.tracks))]
            switch kind(of: number) {
            case .faders: try strip.setGain(Decibels(-Double(number % 24)))
            case .mutes: try strip.setMute(number % 2 == 0)
            case .launches: try engine.launcher.launch(clips[number * 7_919 % clips.count])
            case .tempos: try engine.transport.setTempo(Tempo(clamping: 100 + Double(number % 60)))
            case .unloading, .mixed: break
            }
        }
    }

    private func kind(of number: Int) -> CommandStorm {
        guard case .mixed = self else { return self }
        return [.faders, .mutes, .launches, .tempos][number % 4]
    }
}

/// What a block is rendered into.
final class BlockOutput {
    static let frames = 64
    static let microseconds = Double(frames) / 48_000 * 1e6
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    init() {
        samples = .allocate(capacity: 2 * BlockOutput.frames)
        channels = .allocate(capacity: 2)
        channels.initialize(to: samples)
        (channels + 1).initialize(to: samples + BlockOutput.frames)
    }

    deinit {
        samples.deallocate()
        channels.deallocate()
    }

    func render(_ engine: Engine) {
        engine.render(AudioBlock(outputs: UnsafePointer(channels), outputCount: 2, frames: BlockOutput.frames))
    }
}

/// Nanoseconds that the calling thread has run: the rest of the machine may be busy.
func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}
