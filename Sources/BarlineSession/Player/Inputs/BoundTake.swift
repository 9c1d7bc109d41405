import BarlineEngine

/// A slot that is recorded into, or was.
struct BoundTake: Sendable {
    /// The clip's identifier.
    let id: String
    let track: String
    let slot: Int
    let clip: ClipHandle
    /// The file that it is written to, as the document names it.
    let file: String
    /// Whether the document has its clip.
    var isKept = false
}

extension BoundSession {
    /// The take of a slot whose clip the document does not have yet.
    func openTake(track: String, slot: Int) -> BoundTake? {
        takes.first { !$0.isKept && $0.track == track && $0.slot == slot }
    }

    /// The clips that play without being in the document: slots that are recorded into, on tracks that are there.
    var openTakeIDs: [String] {
        takes.filter { take in !take.isKept && document.tracks.contains { $0.id == take.track } }.map(\.id)
    }

    /// Gives each input of the document a place; those that were there stay where they were.
    mutating func assignInputs(from old: [String: InputIndex], capacity: Int) throws(SessionError) {
        guard document.inputs.count <= capacity else {
            throw .unsupported(path: path, key: "inputs", what: "there is room for \(capacity) inputs")
        }
        inputs = SessionPlayer.places(
            for: document.inputs.map(\.name), over: old, among: (0..<capacity).map { InputIndex($0) })
    }
}
