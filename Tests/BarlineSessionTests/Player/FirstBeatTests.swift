import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Loops that are cut off the beat land with their beats on the session's.
@Suite("The first beat of clips", .fewAtATime)
struct FirstBeatTests {
    private static let beat = 23_040

    /// Sixteen beats of kick and snare with a hi-hat between them at 125 BPM, louder where a bar begins, from frame
    /// `late` on; what is before comes at the end.
    private static func loop(late: Int) -> [UInt8] {
        let count = 16 * beat
        let samples = (0..<count).map { frame -> Double in
            let place = (frame + late) % count
            let number = place / beat
            let time = Double(place % beat) / 48_000
            let noise = Double((place &* 2_654_435_761) % 2000) / 1000 - 1
            let level = number % 4 == 0 ? 0.9 : 0.6
            let drum =
                number % 2 == 0
                ? sin(2 * .pi * (55 * time + 4 * (1 - exp(-time * 40)))) * exp(-time * 18)
                : (0.6 * noise + 0.4 * sin(2 * .pi * 190 * time)) * exp(-time * 25)
            let between = Double(place % (beat / 2)) / 48_000
            return level * drum + 0.12 * noise * exp(-between * 90)
        }
        return WaveFile(samples).bytes
    }

    private func session(_ more: String = "", file: String = "a.wav") -> String {
        #"{"barline": 1, "tempo": 125, "firstLaunch": "immediate", "#
            + #""tracks": [{"id": "t", "clips": [{"id": "a", "file": "\#(file)"\#(more)}]}]}"#
    }

    private func settings(_ late: Int, _ more: String = "") async throws -> ClipSettings {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", FirstBeatTests.loop(late: late))
        let player = try await folder.player(session(more))
        let handle = try #require(player.clips["a"]?.handle)
        return try #require(player.engine.launcher.settings(of: handle))
    }

    @Test("A loop that begins off its beat sounds as the one that begins on it", arguments: [9000, 31_000, 200_000])
    func heard(late: Int) async throws {
        let straight = try SessionFolder()
        try straight.folder.write("a.wav", FirstBeatTests.loop(late: 0))
        let rotated = try SessionFolder()
        try rotated.folder.write("a.wav", FirstBeatTests.loop(late: late))
        let script = #"{"frame": 0, "do": "launch", "clip": "a"}"#
        let frames = 32 * FirstBeatTests.beat
        let truth = try await straight.render(session(), script: script, frames: frames)
        let found = try await rotated.render(session(), script: script, frames: frames)
        // Each beat's attack, from the loudest place near it.
        func attacks(_ samples: [Float]) -> [Int] {
            OnsetDetector.onsets(in: samples, sampleRate: 48_000)
        }
        let expected = attacks(truth.channels[0])
        let heard = attacks(found.channels[0])
        #expect(expected.count > 50)
        let near = expected.filter { onset in heard.contains { abs($0 - onset) < 480 } }
        #expect(near.count > expected.count * 9 / 10, "\(near.count) of \(expected.count)")
        // A drum is on every beat, and a hi-hat between them.
        let level = { (frame: Int) in found.channels[0][frame..<frame + 4800].map(abs).max() ?? 0 }
        for number in 1..<30 {
            let frame = number * FirstBeatTests.beat
            #expect(level(frame) > 0.35 && level(frame + FirstBeatTests.beat / 2) < 0.25, "beat \(number)")
        }
    }

    @Test("A loop that is cut on its beat begins with its first frame, and so does one whose length is given")
    func onBeat() async throws {
        #expect(try await settings(0).firstBeat == 0)
        #expect(try await settings(9000, #", "beats": 16"#).firstBeat == 0)
        #expect(try await settings(9000, #", "loop": false"#).firstBeat == 0)
    }

    @Test("The session's first beat counts most, and is counted around the region")
    func given() async throws {
        let (count, beat) = (16 * FirstBeatTests.beat, FirstBeatTests.beat)
        #expect(try await settings(9000, #", "firstBeat": \#(2 * beat)"#).firstBeat == 2)
        #expect(try await settings(0, #", "beats": 16, "firstBeat": \#(3 * beat)"#).firstBeat == 3)
        #expect(try await settings(0, #", "beats": 16, "firstBeat": \#(count + beat)"#).firstBeat == 1)
        let part = #", "beats": 8, "start": \#(4 * beat), "end": \#(12 * beat), "firstBeat": \#(2 * beat)"#
        #expect(try await settings(0, part).firstBeat == 6)
        #expect(try await settings(0, #", "playback": "original", "firstBeat": 5"#).firstBeat == 0)
    }

    @Test("A tempo that is corrected keeps the first beat that was heard, which can be moved, and be heard again")
    func corrected() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.write("late.wav", FirstBeatTests.loop(late: 9000))
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"file": "late.wav", "beats": null}}"#)
        func clip() -> ClipDocument { stage.document.tracks[0].clips[0] }
        let heard = try #require(stage.session.player.clips["a"]?.firstBeat)
        #expect(clip().firstBeat == nil && heard % FirstBeatTests.beat != 0)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "by": "double"}"#)
        #expect(clip().beats == 32 && clip().firstBeat == heard)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "shift": -100}"#)
        #expect(clip().firstBeat == heard - 100 && clip().start == 0 && clip().beats == 32)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "downbeat": 2}"#)
        #expect(clip().firstBeat == heard - 100 + FirstBeatTests.beat)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "by": "detected"}"#)
        #expect(clip().beats == nil && clip().firstBeat == nil)
        #expect(stage.session.player.clips["a"]?.firstBeat == heard)
    }

    @Test("The first beat is kept by the file")
    func saved() throws {
        let folder = try SessionFolder()
        let document = try folder.document(session(#", "firstBeat": 1234"#))
        try document.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path).tracks[0].clips[0].firstBeat == 1234)
        #expect(throws: SessionError.self) { try folder.document(self.session(#", "firstBeat": -1"#)) }
    }
}
