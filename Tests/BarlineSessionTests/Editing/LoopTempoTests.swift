import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A tempo that is chosen, typed or tapped for a loop is the nearest one at which the loop is whole beats long: it
/// wraps on the beat, cycle after cycle.
@Suite("Tempos of loops", .fewAtATime)
struct LoopTempoTests {
    /// Kicks on eight beats and hi-hats between them, at 125 BPM: 3.84 s, and no tempo in name or header.
    private static let groove: [UInt8] = {
        let beat = 23_040
        return WaveFile(
            (0..<8 * beat).map { frame in
                let time = Double(frame % beat) / 48_000
                let between = Double((frame + beat / 2) % beat) / 48_000
                return 0.6 * exp(-time * 30) * sin(2 * .pi * 60 * time)
                    + 0.2 * exp(-between * 120) * sin(2 * .pi * 7000 * between)
            }
        ).bytes
    }()
    private static let seconds = 3.84

    /// A live session with one clip.
    private struct Fixture {
        let folder: SessionFolder
        let session: LiveSession
        let stage: Stage

        init(_ file: [UInt8], _ more: String = "") async throws {
            folder = try SessionFolder()
            try folder.folder.write("a.wav", file)
            let document = try folder.document(
                #"""
                {"barline": 1, "tempo": 120, "launchQuantization": "none",
                 "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav"\#(more)}]}]}
                """#)
            let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
            session = LiveSession(player, library: EditStage.library(folder))
            stage = Stage(player)
        }

        func correct(_ what: String) async throws -> LiveSession.Outcome {
            let value = try JSONValue(parsing: Data(#"{"do": "correctTempo", "clip": "a", \#(what)}"#.utf8))
            return try await session.perform(try ControlAction(value, source: "test"))
        }

        var beats: Double {
            get throws {
                let handle = try #require(session.player.clips["a"]?.handle)
                return try #require(session.player.engine.launcher.settings(of: handle)?.beats)
            }
        }
    }

    @Test("It takes whole beats, whatever was asked for", arguments: [97.52, 62.4, 124.3, 126.5, 170, 250.9, 20])
    func chosen(bpm: Double) async throws {
        let fixture = try await Fixture(LoopTempoTests.groove)
        let result = try await fixture.correct("\"bpm\": \(bpm)").result
        let expected = max(1, (LoopTempoTests.seconds * bpm / 60).rounded())
        let slip = try abs(fixture.beats - fixture.beats.rounded())
        #expect(slip == 0)
        #expect(try fixture.beats == expected)
        #expect(result["beats"] == .number(expected))
        #expect(fixture.session.player.document.tracks[0].clips[0].beats == expected)
        #expect(fixture.session.player.document.tracks[0].clips[0].bpm == nil)
    }

    @Test("What no clip could be played at is refused, and the clip stays as it was", arguments: ["1e11", "1e-9"])
    func absurd(bpm: String) async throws {
        let fixture = try await Fixture(LoopTempoTests.groove)
        _ = try await fixture.correct("\"bpm\": 125")
        await #expect(throws: SessionError.self) {
            _ = try await fixture.correct("\"bpm\": \(bpm), \"exact\": true")
        }
        let edit = try JSONValue(
            parsing: Data(#"{"do": "editClip", "clip": "a", "set": {"beats": null, "bpm": \#(bpm)}}"#.utf8))
        await #expect(throws: SessionError.self) {
            _ = try await fixture.session.perform(try ControlAction(edit, source: "test"))
        }
        #expect(try fixture.beats == 8)
        _ = try await fixture.correct("\"bpm\": 62.5")
        #expect(try fixture.beats == 4)
    }

    @Test("Taps do too")
    func tapped() async throws {
        let fixture = try await Fixture(LoopTempoTests.groove)
        // 97.5 BPM: 6.24 beats.
        let taps = (0..<8).map { "\(Double($0) * 60 / 97.5)" }.joined(separator: ", ")
        _ = try await fixture.correct("\"taps\": [\(taps)]")
        #expect(try fixture.beats == 6)
    }

    @Test("Every cycle of it begins on the beat")
    func cycles() async throws {
        let fixture = try await Fixture(LoopTempoTests.groove)
        _ = try await fixture.correct(#""bpm": 97.52"#)
        _ = try fixture.session.perform(.launch(clip: "a"))
        fixture.stage.play(0)
        var cycles: [Int64] = []
        for _ in 0..<80 {
            fixture.stage.play(10_000)
            cycles += fixture.stage.events.compactMap { event in
                if case .launcher(.looped) = event.kind { event.frame.rawValue } else { nil }
            }
        }
        // Six beats of half a second.
        let expected: [Int64] = [144_000, 288_000, 432_000, 576_000, 720_000]
        #expect(cycles == expected)
    }

    @Test(
        "Exactly what is asked for is kept where that is said",
        arguments: [#""bpm": 97.52"#, #""taps": [0, 0.6, 1.2]"#])
    func exact(what: String) async throws {
        let fixture = try await Fixture(LoopTempoTests.groove)
        _ = try await fixture.correct(what + #", "exact": true"#)
        let bpm = what.contains("97.52") ? 97.52 : 100
        #expect(abs(try fixture.beats - LoopTempoTests.seconds * bpm / 60) < 1e-9)
    }

    @Test("A clip that plays once is as long as its tempo says")
    func once() async throws {
        let fixture = try await Fixture(LoopTempoTests.groove, #", "loop": false"#)
        _ = try await fixture.correct(#""bpm": 97.52"#)
        #expect(abs(try fixture.beats - LoopTempoTests.seconds * 97.52 / 60) < 1e-9)
    }

    @Test("Of a sound that nobody takes for a loop only a length that is all but whole is rounded")
    func unknown() async throws {
        // Two seconds of a tone.
        let fixture = try await Fixture(Sound.tone(96_000, cycles: 200))
        #expect(fixture.session.player.clips["a"]?.beats == nil)
        for (bpm, expected) in [(97.52, 97.52 * 2 / 60), (119.5, 4), (120.9, 4), (123, 4.1), (150, 5)] {
            _ = try await fixture.correct("\"bpm\": \(bpm)")
            #expect(abs(try fixture.beats - expected) < 1e-9, "\(bpm)")
        }
    }

    @Test("A bar of seven eighths is three and a half beats")
    func eighths() {
        let bar = LoopLength(seconds: 1.75, isWanted: true, detected: 3.5)
        #expect(bar.beats(at: 120) == 3.5)
        #expect(bar.beats(at: 118) == 3.5)
        #expect(bar.beats(at: 241) == 7)
        #expect(bar.beats(at: 1) == 0.5)
    }
}
