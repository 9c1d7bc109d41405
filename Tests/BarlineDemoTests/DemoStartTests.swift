import BarlineDemo
import BarlineSession
import BarlineTestSupport
import Testing

/// Where one of the demo set's loops starts, nothing is heard that the loop does not have itself.
@Suite("The demo set's starts")
struct DemoStartTests {
    @Test("The loops start as they wrap: no step, and no treble of their own", .timeLimit(.minutes(10)))
    func demo() async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        for loop in DemoSet.loops {
            let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
            let script = try PerformanceScript(
                text: #"{"at": 0, "do": "launch", "clip": "\#(loop.id)"}"#, path: "script")
            let output = OfflineRender.Output(path: folder.path("mix.wav"))
            let cycle = LoopStart.due + loop.beats * 24_000
            _ = try OfflineRender(
                player, script: script, frames: Int64(cycle + 4_800), blockFrames: 4_096, output: output
            ).run()
            let faults = LoopStart.faults(in: try WaveContents(path: folder.path("mix.wav")), cycle: cycle)
            #expect(faults.isEmpty, "\(loop.id): \(faults)")
        }
    }
}
