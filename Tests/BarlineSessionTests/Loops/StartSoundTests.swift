import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Loops as they are made: where one starts, nothing is heard that the loop does not have itself.
@Suite("Starts of real loops", .fewAtATime)
struct StartSoundTests {
    static let recorded: [String] = {
        let folder = "/usr/share/sonic-pi/samples"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("loop_") }.sorted().map { "\(folder)/\($0)" }
    }()

    @Test("Recorded loops start as they wrap: no step, and no treble of their own", .timeLimit(.minutes(10)))
    func recorded() async throws {
        let paths = StartSoundTests.recorded
        try #require(paths.count > 10)
        for path in paths {
            let folder = try SessionFolder()
            let samples = try await AudioClipLoader().load(path).samples
            let seconds = Double(samples.frameCount) / samples.sampleRate.hertz
            let cycle = LoopStart.due + Int((seconds * Double(LoopStart.rate)).rounded())
            let session = """
                {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "\(path)", "playback": "original"}]}]}
                """
            let sound = try await folder.render(
                session, script: #"{"at": 0, "do": "launch", "clip": "a"}"#, frames: cycle + 4_800)
            #expect(
                LoopStart.faults(in: sound, cycle: cycle).isEmpty,
                "\(path): \(LoopStart.faults(in: sound, cycle: cycle))")
        }
    }
}
