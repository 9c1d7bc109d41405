import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Sessions and actions compare what they have of parts by its value.
@Suite("Parts of a session", .fewAtATime)
struct SessionPartTests {
    private func session(_ pads: [String], gain: Double = 0) throws -> SessionDocument {
        let list = pads.map { JSONValue.object(["id": .string($0), "file": .string("\($0).wav")]) }
        return try SessionDocument(
            ["barline": 1, "pads": .array(list), "padSet": ["gain": .number(gain)]], file: "set")
    }

    @Test("Sessions are equal where their parts are, and have one hash then")
    func equality() throws {
        let one = try session(["kick", "hat"])
        #expect(try one == session(["kick", "hat"]) && Set([one, session(["kick", "hat"])]).count == 1)
        #expect(try one != session(["kick"]) && one != session(["kick", "hat"], gain: -6) && one != SessionDocument())
        var changed = one
        changed.pads.removeLast()
        #expect(try changed == session(["kick"]) && one.pads.count == 2)
    }

    @Test("A session that shares what it has in common with another one is what it was")
    func sharing() throws {
        let (one, other) = (try session(["kick"], gain: -3), try session(["kick"], gain: -9))
        #expect(one.sharing(other) == one && other.sharing(one) == other)
        #expect(one.sharing(SessionDocument()) == one)
    }

    @Test("Actions of a part are equal where what they ask is")
    func actions() {
        func hit(_ pad: String, _ velocity: Double) -> ScriptAction {
            .pads(.hit(pad: pad, velocity: velocity, quantization: nil))
        }
        #expect(
            hit("kick", 1) == hit("kick", 1) && hit("kick", 1) != hit("kick", 0.5) && hit("kick", 1) != hit("hat", 1))
        #expect(hit("kick", 1) != .pads(.choke(pad: "kick")) && hit("kick", 1) != .tap)
        #expect(Set([hit("kick", 1), hit("kick", 1), hit("hat", 1)]).count == 2)
    }

    @Test("What parts declare is the session's: keys, strips, verbs of scripts, edits")
    func layers() {
        for part in SessionParts.all {
            for key in part.keys { #expect(SessionDocument.keys.contains { $0.facts.key == key.facts.key }) }
            for strip in part.strips { #expect(PartStrip(rawValue: strip.rawValue) == strip) }
            for documentPart in part.documentParts { #expect(DocumentPart.allCases.contains(documentPart)) }
        }
        let words = SessionParts.scripted.flatMap { $0.verbs }.map(\.facts.word)
        #expect(words.contains("hit") && Set(words).isSubset(of: ScriptAction.verbs.map(\.facts.word)))
        let edits = SessionParts.edited.flatMap { $0.edits }.map(\.facts.word)
        #expect(edits.contains("movePad") && Set(edits).isSubset(of: DocumentEdit.verbs.map(\.facts.word)))
    }
}
