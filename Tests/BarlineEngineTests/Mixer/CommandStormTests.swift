import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The bounds of what a block does for thousands of commands that are due together.
@Suite("Storms of commands for one frame")
struct CommandStormTests {
    private func commands(_ count: Int, seed: UInt64) -> [Mixer.Action] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in
            let channel = random.int(0...63)
            switch random.int(0...5) {
            case 0: return .set(.gain(ofChannel: channel), target: Double(random.int(0...100)) / 100)
            case 1: return .set(.pan(ofChannel: channel), target: Double(random.int(-10...10)) / 10)
            case 2: return .set(.send(ofChannel: channel, toBus: 0), target: Double(random.int(0...100)) / 100)
            case 3: return .sendPreFader(channel: channel, bus: 0, random.chance(0.5))
            case 4: return .channelMute(channel: channel, random.chance(0.5))
            default: return .channelSolo(channel: channel, random.chance(0.5))
            }
        }
    }

    @Test(
        "A command turns its own strip, the others once a frame, and they end as if each had turned all",
        arguments: 1...8)
    func strips(seed: UInt64) {
        let configuration = EngineConfiguration()
        let ring = SPSCRing<UInt>(minimumCapacity: 2)
        defer { ring.deallocate() }
        var together = Mixer(configuration, configuration.channelLayout, tap: nil, retired: ring.producer)
        var oneByOne = Mixer(configuration, configuration.channelLayout, tap: nil, retired: ring.producer)
        let channels = together.channelCount
        for (index, at) in [Int64(64), 100, 400].enumerated() {
            let actions = commands(2_000, seed: seed + 100 * UInt64(index))
            let frame = FrameTime(at)
            let before = together.stripAdvances
            for action in actions {
                together.perform(action, at: frame, fadeFrames: 240, rampFrames: 240)
                oneByOne.perform(action, at: frame, fadeFrames: 240, rampFrames: 240)
                oneByOne.updateStaleLevels(at: frame)
            }
            together.updateStaleLevels(at: frame)
            let advances = together.stripAdvances - before
            #expect(advances <= actions.count + channels)
            let areSound = together.checkInvariants() && oneByOne.checkInvariants()
            #expect(areSound)
            for channel in 0..<channels {
                let (strip, other) = (together.strips[channel], oneByOne.strips[channel])
                #expect(strip.levelLeft.target == other.levelLeft.target, "channel \(channel)")
                #expect(strip.levelRight.target == other.levelRight.target, "channel \(channel)")
            }
        }
    }

    @Test("Of thousands of clips that are unloaded at once a block hands back a few, and all of them in the end")
    func unloading() throws {
        let count = 700
        let engine = Engine(EngineConfiguration(trackCount: 4, launchQuantization: .none, firstLaunch: .immediate))
        let recorder = Recorder(engine, frames: 64 * 200)
        let buffer = SampleBuffer(left: [Float](repeating: 0.5, count: 4_800), right: nil, sampleRate: .standard)
        let clips = try (0..<count).map {
            try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex($0 % 4), beats: 4))
        }
        for clip in clips.prefix(4) { try engine.launcher.launch(clip) }
        recorder.render(64 * 10, .fixed(64))
        for clip in clips { try engine.launcher.unload(clip) }
        func waiting() throws -> Int { try engine.withControl { state throws(EngineError) in state.replaced.count } }
        var left = try waiting()
        #expect(left == count)
        var blocks = 0
        while left > 0, blocks < 100 {
            recorder.render(64, .fixed(64))
            let now = try waiting()
            #expect(left - now <= Retirement.perBlock)
            left = now
            blocks += 1
        }
        #expect(left == 0)
        // As many a block as may be; those that played are kept for as long as they fade out.
        #expect(blocks <= count / Retirement.perBlock + 8)
        // All places are free again.
        let places = try (0..<engine.configuration.clipCapacity).map { index in
            if index % 256 == 0 { recorder.render(64) }
            return try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 4)).rawValue
        }
        #expect(Set(places).count == engine.configuration.clipCapacity)
    }
}
