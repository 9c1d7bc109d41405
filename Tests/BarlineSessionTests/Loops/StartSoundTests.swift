import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Loops as they are made: where one starts, nothing is heard that the loop does not have itself.
@Suite("Starts of real loops")
struct StartSoundTests {
    static let recorded: [String] = {
        let folder = "/usr/share/sonic-pi/samples"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("loop_") }.sorted().map { "\(folder)/\($0)" }
    }()
    private static let rate = 48_000
    /// The first launch comes one bar of 120 BPM after it was asked for.
    private static let due = 96_000
    private static let window = 96

    /// The energy above 4 kHz of the window of 2 ms that begins at each frame.
    private static func treble(_ sound: WaveContents) -> [Double] {
        var filter = HighPass()
        var sums = [0.0]
        for frame in 0..<sound.frameCount {
            let sample = filter.next(sound.channels.reduce(0) { $0 + Double($1[frame]) })
            sums.append(sums[frame] + sample * sample)
        }
        return (0..<sums.count - window).map { sums[$0 + window] - sums[$0] }
    }

    /// Compares the windows around a loop's start with those around its first turn, and with its median.
    private func check(_ sound: WaveContents, turn: Int, _ name: String) {
        let treble = StartSoundTests.treble(sound)
        func loudest(around frame: Int) -> Double { treble[frame - 300..<frame + 300].max() ?? 0 }
        let playing = treble[StartSoundTests.due + 480..<turn].sorted()
        let median = playing[playing.count / 2]
        let start = loudest(around: StartSoundTests.due)
        // -90 dB of full scale.
        let inaudible = Double(StartSoundTests.window) * 1e-9
        // A loop that has an attack on its first frame has it at every turn.
        #expect(
            start <= max(1.5 * loudest(around: turn), 4 * median, inaudible),
            "\(name): \(10 * log10(start / max(median, 1e-12))) dB over the median")
        let channel = sound.channels[0]
        func step(around frame: Int) -> Float {
            (frame - 300..<frame + 300).map { abs(channel[$0] - channel[$0 - 1]) }.max() ?? 0
        }
        // A turn may lie between two frames, where a wave is met elsewhere.
        #expect(step(around: StartSoundTests.due) <= 1.25 * step(around: turn) + 1 / 240, "\(name)")
    }

    @Test("Recorded loops start as they turn: no step, and no treble of their own", .timeLimit(.minutes(10)))
    func recorded() async throws {
        let paths = StartSoundTests.recorded
        try #require(paths.count > 10)
        for path in paths {
            let folder = try SessionFolder()
            let samples = try await AudioClipLoader().load(path).samples
            let seconds = Double(samples.frameCount) / samples.sampleRate.hertz
            let turn = StartSoundTests.due + Int((seconds * Double(StartSoundTests.rate)).rounded())
            let session = """
                {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "\(path)", "playback": "original"}]}]}
                """
            let sound = try await folder.render(
                session, script: #"{"at": 0, "do": "launch", "clip": "a"}"#, frames: turn + 4_800)
            check(sound, turn: turn, path)
        }
    }

    @Test("So do the demo's", .timeLimit(.minutes(10)))
    func demo() async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        for loop in DemoSet.loops {
            let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
            let script = try PerformanceScript(
                text: #"{"at": 0, "do": "launch", "clip": "\#(loop.id)"}"#, path: "script")
            let output = OfflineRender.Output(path: folder.path("mix.wav"))
            let turn = StartSoundTests.due + loop.beats * 24_000
            _ = try OfflineRender(
                player, script: script, frames: Int64(turn + 4_800), blockFrames: 4_096, output: output
            ).run()
            check(try WaveContents(path: folder.path("mix.wav")), turn: turn, loop.id)
        }
    }
}

/// A Butterworth high-pass of fourth order at 4 kHz, for 48 kHz.
private struct HighPass {
    private struct Section {
        let damping: Double
        private let slope = tan(Double.pi * 4_000 / 48_000)
        private var inputs = [0.0, 0.0]
        private var outputs = [0.0, 0.0]

        init(damping: Double) { self.damping = damping }

        mutating func next(_ input: Double) -> Double {
            let forward: Double = input - 2 * inputs[0] + inputs[1]
            let back: Double = 2 * (slope * slope - 1) * outputs[0]
            let farther: Double = (1 - damping * slope + slope * slope) * outputs[1]
            let output: Double = (forward - back - farther) / (1 + damping * slope + slope * slope)
            inputs = [input, inputs[0]]
            outputs = [output, outputs[0]]
            return output
        }
    }

    private var first = Section(damping: 0.765_367)
    private var second = Section(damping: 1.847_759)

    mutating func next(_ input: Double) -> Double { second.next(first.next(input)) }
}
