import BarlineTestSupport
import Foundation
import Testing

/// `barline latency` where nothing can be measured; measuring is tested with a device that has a cable.
@Suite("Latency from the command line")
struct LatencyTests {
    private static let kept = """
        {"barline": 1, "latencies": [{"output": "card", "input": "card", "sampleRate": 48000, "blockFrames": 256,
         "roundTrip": 1512.02, "declared": 768, "date": "2026-11-22T20:00:00Z"}]}
        """

    @Test("Without a server it fails, says why and what to do, and keeps nothing")
    func noServer() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(["latency", "--json"], environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "barline: latency is measured through JACK, or PipeWire in its place: no JACK server is running; start it, and if it "
                + "runs as another user, measure as that one\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
        #expect(try Barline.run(["latency", "--list", "--forget"]).status == 64)
    }

    @Test("What was measured is listed, shown by the doctor, and forgotten when that is asked for")
    func list() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_STATE_HOME": folder.path("state"), "XDG_DATA_HOME": folder.path("data")]
        #expect(try Barline.run(["latency", "--list"], environment: environment).output.isEmpty)
        try folder.write("state/barline/latency.json", Self.kept)
        let words = try Barline.run(["latency", "--list"], environment: environment)
        #expect(
            words.output
                == "card to card: 1512.0 frames (31.50 ms) at 48000 Hz; the driver says 768 frames (16.00 ms)\n")
        let listed = try JSONLines.objects(
            try Barline.run(["latency", "--list", "--json"], environment: environment).output)
        #expect(listed.count == 1)
        #expect(listed.first?.integer("correction") == 744 && listed.first?["isFarOff"] as? Bool == true)
        let doctor = try Barline.run(["doctor"], environment: environment)
        #expect(doctor.output.contains("latency, card to card: 31.5 ms at 48000 Hz, measured 2026-11-22T20:00:00Z"))
        #expect(try Barline.run(["latency", "--forget"], environment: environment).status == 0)
        #expect(try Barline.run(["latency", "--list"], environment: environment).output.isEmpty)
    }
}
