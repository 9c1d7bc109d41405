import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// Programs are told the file and the key, people are told words; both in one answer.
@Suite("Messages for people", .serialized)
struct MessageTests {
    /// A tempo that can't be played, and a track for a clip.
    static let document = """
        {"barline": 1, "tempo": 1200, "tracks": [{"id": "t", "name": "One"}]}
        """

    private func isPlain(_ text: String?, _ served: ServedSession) -> Bool {
        guard let text, !text.isEmpty else { return false }
        let jargon = [#"\.barline"#, #"\w\[\d"#, #"\b(action|set|tracks|clips|query)[.:]"#, "expected", "\""]
        return !text.contains(served.folder.path("")) && !text.contains("/")
            && jargon.allSatisfy { text.range(of: $0, options: .regularExpression) == nil }
    }

    @Test("What is refused says why to both, and so does a warning")
    func actions() async throws {
        try await serving { served async throws in
            for (action, reason, words) in [
                (#"{"do": "launch", "clip": "x"}"#, "clip: there is no \"x\"", "There is no clip “x”."),
                (#"{"do": "editClip", "clip": "a", "set": {"beats": 0}}"#, "set.beats", "Beats:"),
                (#"{"do": "deleteSession", "name": "a/b"}"#, "name:", "Name:"),
                (#"{"do": "osc", "port": 99999}"#, "action.port", "A whole number from 0 to 65535 is needed."),
                (
                    #"{"do": "output", "backend": "null"}"#, "does not change",
                    "This program does not change its output."
                ),
            ] {
                let result = try #require(try served.act(action)["results"]?.list.first)
                #expect(result["ok"] == false && result["error"]?.text?.contains(reason) == true, "\(result.line)")
                #expect(result["message"]?.text?.hasPrefix(words) == true, "\(result.line)")
                let message = result["message"]?.text?.replacingOccurrences(of: "“/”", with: "").replacingOccurrences(
                    of: "a/b", with: "")
                #expect(isPlain(message, served), "\(result.line)")
            }
            let clamped = try #require(try served.act(#"{"do": "tempo", "bpm": 5}"#)["results"]?.list.first)
            #expect(clamped["ok"] == true && clamped["warning"]?.text?.contains(": ") == true)
            #expect(clamped["message"]?.text == "5.0 BPM is played as 20.0 BPM.")
            for edit in [
                #"{"do": "editSession", "set": {"tempo": 1500}}"#,
                #"{"do": "editScene", "scene": 0, "set": {"tempo": 1500}}"#,
            ] {
                let clamped = try #require(try served.act(edit)["results"]?.list.first)
                #expect(clamped["ok"] == true && clamped["message"]?.text == "1500.0 BPM is played as 999.0 BPM.")
                // It is said of what an edit has made so.
                let other = try served.act(#"{"do": "editSession", "set": {"snapTolerance": 0.1}}"#)
                #expect(other["results"]?.list.first?["message"] == .null)
            }
            let fine = try #require(try served.act(#"{"do": "tempo", "bpm": 100}"#)["results"]?.list.first)
            #expect(fine["message"] == .null && fine["warning"] == .null)
        }
    }

    @Test(
        "So does what is refused over HTTP",
        arguments: [
            ("GET", "/api/waveform?clip=x"), ("PUT", "/api/files?name=..%2fx.wav"), ("PUT", "/api/files?name=x.sh"),
            ("PUT", "/api/files?name=bad.wav"), ("GET", "/api/recordings/none"), ("DELETE", "/api/session"),
        ])
    func requests(method: String, target: String) async throws {
        try await serving { served async throws in
            let answer = try served.request(method, target, body: method == "PUT" ? Array("no audio".utf8) : nil)
            #expect(answer.status >= 400 && answer["error"]?.text?.isEmpty == false)
            #expect(isPlain(answer["message"]?.text, served), "\(answer["message"]?.text ?? "nothing")")
        }
    }

    @Test("The state says what the session lacks to both; an unknown tempo is no problem")
    func state() async throws {
        try await serving(document: MessageTests.document) { served async throws in
            // Two seconds of a tone, in which no tempo is heard.
            let hum = WaveFile((0..<96_000).map { 0.3 * sin(2 * .pi * Double($0) / 480) }).bytes
            _ = try served.request("PUT", "/api/files?name=hum.wav&track=t&slot=0", body: hum)
            var state = JSONValue.null
            let isThere = try eventually {
                state = try served.request("GET", "/api/session").json ?? .null
                return state["clips"]?["hum"] != nil
            }
            #expect(isThere)
            let (warnings, messages) = (state["warnings"]?.list ?? [], state["messages"]?.list ?? [])
            #expect(warnings.count == 2 && messages.count == 2)
            #expect(warnings.allSatisfy { $0.text?.contains(served.folder.path("set.barline")) == true })
            #expect(messages.allSatisfy { isPlain($0.text, served) }, "\(messages.map(\.line))")
            let clip = try #require(state["clips"]?["hum"])
            #expect(clip["problem"] == .null && clip["message"] == .null)
            #expect(clip["tempo"] == .null && clip["beats"] == .null)
        }
    }

    @Test("The version of the state and of the description is the program's")
    func version() async throws {
        try await serving { served async throws in
            let program = try served.request("GET", "/api/session").json?["program"]
            let description = try served.request("GET", "/api/openapi.json").json?["info"]
            #expect(program?["version"]?.text == Program.version)
            #expect(description?["version"]?.text == Program.version)
        }
    }

    @Test("Saved sessions are listed, renamed and deleted")
    func sessions() async throws {
        try await serving { served async throws in
            func listed() throws -> [String] {
                (try served.request("GET", "/api/session").json?["sessions"]?.list ?? []).map { entry in
                    (entry["name"]?.text ?? "") + (entry["isOpen"] == true ? " (open)" : "")
                }.sorted()
            }
            func become(_ names: [String]) throws -> Bool { try eventually { try listed() == names } }
            _ = try served.act(#"{"actions": [{"do": "saveAs", "name": "One"}, {"do": "saveAs", "name": "Two"}]}"#)
            #expect(try become(["One", "Two (open)"]))
            _ = try served.act(#"{"do": "renameSession", "name": "Two", "to": "Three"}"#)
            #expect(try become(["One", "Three (open)"]))
            let refused = try served.act(#"{"do": "deleteSession", "name": "Three"}"#)["results"]?.list.first
            #expect(refused?["ok"] == false && refused?["message"]?.text?.contains("is open") == true)
            _ = try served.act(#"{"do": "deleteSession", "name": "One"}"#)
            #expect(try become(["Three (open)"]))
        }
    }
}
