import BarlineTestSupport
import Foundation
import Testing

/// `barline rooms`, and playing to them, with a real server.
@Suite("Other rooms", .timeLimit(.minutes(10)))
struct RoomsTests {
    @Test("Rooms are listed, and only the one that is named is changed")
    func rooms() throws {
        let server = try SnapServer()
        try server.addClient("kitchen")
        try server.addClient("bath")
        let base = ["rooms", "127.0.0.1", "--port", "\(server.controlPort)"]
        let changed = try Barline.run(
            base + ["--room", "kitchen", "--volume", "30", "--mute", "--stream", "other", "--json"])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try JSONLines.objects(changed.output).map { $0.text("id") } == ["kitchen"])
        let listed = try JSONLines.objects(Barline.run(base + ["--json"]).output)
        let kitchen = try #require(listed.first { $0.text("id") == "kitchen" })
        let bath = try #require(listed.first { $0.text("id") == "bath" })
        #expect(kitchen.number("volume") == 30 && kitchen["muted"] as? Bool == true)
        #expect(kitchen.text("stream") == "other" && kitchen["connected"] as? Bool == true)
        #expect(bath.number("volume") == 100 && bath["muted"] as? Bool == false && bath.text("stream") == "barline")
        let words = try Barline.run(base + ["--room", "kitchen", "--unmute"]).output
        #expect(words.contains("30 %, plays other") && !words.contains("muted"))
    }

    @Test("A session is played to a server, and says so")
    func play() throws {
        let server = try SnapServer()
        let outcome = try Barline.run([
            "run", "--device", "snapcast://127.0.0.1:\(server.audioPort)", "--duration", "1", "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("snapcast (127.0.0.1, port \(server.audioPort))"))
    }

    @Test("What can't be is said")
    func failures() throws {
        let port = FreePorts.find(1)[0]
        let nobody = try Barline.run(["rooms", "127.0.0.1", "--port", "\(port)"])
        #expect(nobody.status == 1 && nobody.errors.contains("Connection refused"))
        let server = try SnapServer()
        let base = ["rooms", "127.0.0.1", "--port", "\(server.controlPort)"]
        let unknown = try Barline.run(base + ["--room", "attic"])
        #expect(unknown.status == 1 && unknown.errors.contains("there is no room \"attic\""))
        #expect(try Barline.run(base + ["--volume", "101"]).status == 64)
        #expect(try Barline.run(base + ["--mute", "--unmute"]).status == 64)
        #expect(try Barline.run(["rooms", "127.0.0.1", "--port", "\(65_536 + server.controlPort)"]).status == 64)
        #expect(try Barline.run(["run", "--device", "snapcast://box/path", "--duration", "1"]).status == 1)
    }
}
