import BarlineDemo
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// The demo's loops have tempos of their own, and play at one.
@Suite("The demo set in time")
struct DemoSyncTests {
    @Test("The loops of every scene keep their onsets on one grid, pass after pass", arguments: 0..<4)
    func scene(row: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
        let script = try PerformanceScript(
            text: """
                {"at": 0, "do": "launchScene", "scene": \(row)}
                {"frame": 576000, "do": "tempo", "bpm": 132, "ramp": 4}
                """, path: "script")
        var tempo = TempoModel(bpm: 120, beat: -4, sampleRate: 48_000)
        tempo.change(at: 576_000, to: 132, over: 4)
        let end = 48.0
        let output = OfflineRender.Output(path: folder.path("mix.wav"), stemsFolder: folder.path("stems"))
        let frames = Int64(tempo.frame(of: end).rounded(.up))
        _ = try OfflineRender(player, script: script, frames: frames, blockFrames: 4096, output: output).run()
        // A bass note's every cycle is an onset of its own: the next test looks at it.
        for loop in DemoSet.loops where loop.slot == row && loop.track != "bass" {
            let stem = try WaveContents(path: folder.path("stems/track-\(loop.track).wav"))
            let mono = zip(stem.channels[0], stem.channels[1]).map { $0 + $1 }
            let onsets = OnsetDetector.onsets(in: mono, sampleRate: 48_000)
            let beats = Double(loop.beats)
            let passes = Passes(onsets: onsets, beats: beats, end: end, tempo: tempo)
            // Pads swell: they have no onsets to look at.
            guard !["chords-slow-tide", "chords-glass-haze"].contains(loop.id) else { continue }
            for index in passes.phases.indices.dropFirst() {
                let deviation = passes.deviation(of: index, beats: beats, tempo: tempo)
                #expect(deviation.matched >= 0.6 && deviation.median < 1, "\(loop.id), pass \(index): \(deviation)")
            }
        }
    }

    @Test("At one tempo, every pass of every loop from the second on is the same, to the bit", arguments: 0..<4)
    func passes(row: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
        let script = try PerformanceScript(text: #"{"at": 0, "do": "launchScene", "scene": \#(row)}"#, path: "script")
        let output = OfflineRender.Output(path: folder.path("mix.wav"), stemsFolder: folder.path("stems"))
        _ = try OfflineRender(player, script: script, frames: 96_000 + 52 * 24_000, blockFrames: 4096, output: output)
            .run()
        for loop in DemoSet.loops where loop.slot == row {
            let stem = try WaveContents(path: folder.path("stems/track-\(loop.track).wav")).channels[0]
            let period = loop.beats * 24_000
            let second = 96_000 + period
            let worst = (second + period..<stem.count).map { abs(stem[$0] - stem[$0 - period]) }.max() ?? .infinity
            #expect(worst == 0, "\(loop.id)")
        }
    }

    @Test("The drums of a scene begin on the bar line, to the frame")
    func downbeat() async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
        let script = try PerformanceScript(text: #"{"at": 0, "do": "launchScene", "scene": 1}"#, path: "script")
        let output = OfflineRender.Output(path: folder.path("mix.wav"), stemsFolder: folder.path("stems"))
        _ = try OfflineRender(player, script: script, frames: 144_000, blockFrames: 1000, output: output).run()
        let drums = try WaveContents(path: folder.path("stems/track-drums.wav"))
        // The loop's own end leads up to it.
        #expect(drums.channels[0][..<95_760].allSatisfy { $0 == 0 })
        let bare = [Float](repeating: 0, count: 96_000) + drums.channels[0][96_000...]
        let first = try #require(OnsetDetector.onsets(in: bare, sampleRate: 48_000).first)
        #expect(abs(first - 96_000) <= 144)
    }
}
