import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Recorded loops of different tempos, from Debian's package sonic-pi-samples.
@Suite("Recorded loops at one tempo", .fewAtATime)
struct SampleLoopTests {
    /// A loop and its length.
    struct Loop: Sendable {
        let name: String
        let beats: Double
    }

    static let loops = [
        Loop(name: "amen", beats: 4), Loop(name: "breakbeat", beats: 4), Loop(name: "compus", beats: 16),
        Loop(name: "mika", beats: 16), Loop(name: "safari", beats: 16), Loop(name: "tabla", beats: 16),
    ]
    static let folder = "/usr/share/sonic-pi/samples"
    static let bars = 64
    static let rate = 48_000.0
    /// Frames of the run, tempos and the beats over which they are reached.
    static let changes: [(frame: Int, bpm: Double, ramp: Double)] = [
        (20 * 48_000, 104, 0), (41 * 48_000 + 7, 152, 16), (60 * 48_000 + 13, 131.7, 0), (80 * 48_000, 168, 8),
        (95 * 48_000 + 1, 126, 0),
    ]

    static var session: String {
        let tracks = loops.map { loop in
            """
            {"id": "\(loop.name)", "gain": -9, "clips": [{"id": "\(loop.name)", "beats": \(loop.beats),
             "file": "\(folder)/loop_\(loop.name).flac"}]}
            """
        }
        return #"{"barline": 1, "tempo": 138, "tracks": [\#(tracks.joined(separator: ","))]}"#
    }

    static var script: String {
        let launches = loops.map { #"{"at": 0, "do": "launch", "clip": "\#($0.name)"}"# }
        let tempos = changes.map { #"{"frame": \#($0.frame), "do": "tempo", "bpm": \#($0.bpm), "ramp": \#($0.ramp)}"# }
        return (launches + tempos).joined(separator: "\n")
    }

    /// The transport rolls from one bar before beat 0.
    static var tempo: TempoModel {
        var tempo = TempoModel(bpm: 138, beat: -4, sampleRate: rate)
        for change in changes { tempo.change(at: change.frame, to: change.bpm, over: change.ramp) }
        return tempo
    }

    @Test(
        "For 64 bars, through tempo changes and ramps, every loop's onsets stay on the grid", .timeLimit(.minutes(10)))
    func onsetsStayOnTheGrid() async throws {
        let tempo = SampleLoopTests.tempo
        let end = Double(4 * SampleLoopTests.bars)
        let frames = Int(tempo.frame(of: end).rounded(.up))
        let folder = try SessionFolder()
        _ = try await folder.render(
            SampleLoopTests.session, script: SampleLoopTests.script, frames: frames, blockFrames: 4096,
            events: "events", stems: "stems")
        try checkWraps(try folder.folder.text("events"), tempo: tempo)
        for loop in SampleLoopTests.loops {
            let stem = try WaveContents(path: folder.folder.path("stems/track-\(loop.name).wav"))
            let mono = zip(stem.channels[0], stem.channels[1]).map { $0 + $1 }
            let onsets = OnsetDetector.onsets(in: mono, sampleRate: SampleLoopTests.rate)
            let passes = Passes(onsets: onsets, beats: loop.beats, end: end, tempo: tempo)
            check(passes, of: loop, tempo: tempo)
        }
    }

    private func check(_ passes: Passes, of loop: Loop, tempo: TempoModel) {
        #expect(passes.phases.count == Int(256 / loop.beats))
        #expect(passes.phases[0].count >= 4, "\(loop.name) has onsets")
        var medians: [Double] = []
        for index in passes.phases.indices.dropFirst() {
            let deviation = passes.deviation(of: index, beats: loop.beats, tempo: tempo)
            #expect(deviation.matched >= 0.6, "\(loop.name), pass \(index): \(deviation)")
            medians.append(deviation.median)
        }
        #expect(Passes.median(medians) < 1, "\(loop.name): \(medians)")
        #expect((medians.last ?? .infinity) < 1, "\(loop.name): the last pass is where the first one was")
    }

    /// Wrap `k` is on the frame nearest to its beat.
    private func checkWraps(_ events: String, tempo: TempoModel) throws {
        for loop in SampleLoopTests.loops {
            let wraps = try JSONLines.events(events, of: "clipLooped").filter { $0.text("clip") == loop.name }
            let expected = (1..<Int(256 / loop.beats)).map { cycle in
                Int(tempo.frame(of: Double(cycle) * loop.beats).rounded())
            }
            #expect(wraps.compactMap { $0.integer("frame") } == expected, "\(loop.name)")
        }
    }
}
