import BarlineTestSupport
import Testing

@testable import BarlineSession

/// The events that a render writes.
@Suite("Events of a render", .fewAtATime)
struct OfflineEventTests {
    static let session = """
        {"barline": 1, "tracks": [{"id": "drums", "clips": [{"id": "amen", "file": "a.wav", "beats": 2}]}]}
        """
    static let script = """
        {"at": 0, "do": "launch", "clip": "amen"}
        {"frame": 153600, "do": "tempo", "bpm": 126}
        {"at": 5.0, "do": "stop", "track": "drums"}
        {"at": 4.1, "do": "timeSignature", "value": "3/4"}
        {"at": 6.5, "do": "transport", "action": "stop"}
        """

    private func lines() async throws -> String {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.tone(48_000, cycles: 200))
        _ = try await folder.render(
            OfflineEventTests.session, script: OfflineEventTests.script, frames: 7 * 48_000, events: "events.jsonl")
        return try folder.folder.text("events.jsonl")
    }

    @Test("Starts, wraps and stops have their frames, tracks and clips")
    func clips() async throws {
        let lines = try await lines()
        let started = try #require(try JSONLines.events(lines, of: "clipStarted").first)
        #expect(started.integer("frame") == 96_000)
        #expect(started.text("track") == "drums" && started.text("clip") == "amen")
        #expect(started.number("beat") == 0 && started.number("sourceFrame") == 0)
        // Beat 2 is at 144 000 frames; from beat 2.4, at 153 600, a beat is 60 / 126 s.
        let looped = try JSONLines.events(lines, of: "clipLooped")
        #expect(looped.map { $0.integer("frame") } == [144_000, 190_171, 235_886])
        #expect(looped.map { $0.integer("iteration") } == [1, 2, 3])
        #expect(looped.allSatisfy { $0.text("track") == "drums" && $0.text("clip") == "amen" })
        // The stop waits for the bar line at beat 8.
        let stopped = try JSONLines.events(lines, of: "clipStopped")
        #expect(stopped.map { $0.integer("frame") } == [281_600])
        #expect(stopped.map { $0.text("track") } == ["drums"])
    }

    @Test("Beats count bars and beats from 1, with their accents")
    func beats() async throws {
        let beats = try JSONLines.events(try await lines(), of: "beat")
        let first = try #require(beats.first { $0.integer("frame") == 96_000 })
        #expect(first.integer("bar") == 1 && first.integer("beat") == 1)
        #expect(first["accent"] as? Bool == true)
        let second = try #require(beats.first { $0.integer("frame") == 120_000 })
        #expect(second.integer("bar") == 1 && second.integer("beat") == 2)
        #expect(second["accent"] as? Bool == false)
        #expect(beats.contains { $0.integer("frame") == 0 && $0.integer("bar") == 0 })
    }

    @Test("A tempo change tells its frame, tempo and beat")
    func tempo() async throws {
        let change = try #require(try JSONLines.events(try await lines(), of: "tempoChanged").first)
        #expect(change.integer("frame") == 153_600)
        #expect(change.number("bpm") == 126)
        #expect(abs((change.number("beat") ?? 0) - 2.4) < 1e-9)
    }

    @Test("The transport's start, stop and metre are reported")
    func transport() async throws {
        let lines = try await lines()
        let started = try #require(try JSONLines.events(lines, of: "transportStarted").first)
        #expect(started.integer("frame") == 0 && started.number("beat") == -4)
        let metre = try #require(try JSONLines.events(lines, of: "timeSignatureChanged").first)
        #expect(metre.text("value") == "3/4")
        #expect(metre.number("beat") == 8)
        let stopped = try #require(try JSONLines.events(lines, of: "transportStopped").first)
        #expect(stopped.integer("frame") == 312_000)
    }

    @Test("Lines are in the order of their frames, keys in one order, and nothing else is written")
    func order() async throws {
        let lines = try await lines()
        let objects = try JSONLines.objects(lines)
        let frames = objects.compactMap { $0.integer("frame") }
        #expect(frames.count == objects.count)
        #expect(frames == frames.sorted())
        #expect(lines.hasSuffix("\n"))
        #expect(lines.contains(#"{"accent":true,"bar":1,"beat":1,"event":"beat","frame":96000}"#))
        #expect(!lines.contains("commandTaken"))
    }
}
