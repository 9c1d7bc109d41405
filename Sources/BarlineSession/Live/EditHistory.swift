import Foundation

/// The documents that a session has been, and the way back to them.
struct EditHistory {
    struct Step {
        let label: String
        let mergeKey: String?
        let before: SessionDocument
        var after: SessionDocument
        var time: Double
    }

    /// Steps that can be undone.
    static let capacity = 200
    /// Seconds within which two moves of one control are one step.
    static let mergeTime = 1.0

    private(set) var done: [Step] = []
    private(set) var undone: [Step] = []
    /// The document after the last step.
    private(set) var present: SessionDocument

    init(_ document: SessionDocument) { present = document }

    /// Takes in that the document is another one now.
    mutating func add(_ label: String, mergeKey: String? = nil, _ document: SessionDocument, at time: Double) {
        if document == present { return }
        if let mergeKey, undone.isEmpty, let last = done.last, last.mergeKey == mergeKey,
            time - last.time < EditHistory.mergeTime
        {
            done[done.count - 1].after = document
            done[done.count - 1].time = time
        } else {
            done.append(Step(label: label, mergeKey: mergeKey, before: present, after: document, time: time))
            if done.count > EditHistory.capacity { done.removeFirst() }
        }
        undone = []
        present = document
    }

    /// The document before the last step.
    mutating func undo() -> SessionDocument? {
        guard let step = done.popLast() else { return nil }
        undone.append(step)
        present = step.before
        return present
    }

    /// The document after the step that was undone last.
    mutating func redo() -> SessionDocument? {
        guard var step = undone.popLast() else { return nil }
        // What follows is a step of its own, however soon it comes.
        step.time = -.infinity
        done.append(step)
        present = step.after
        return present
    }
}
