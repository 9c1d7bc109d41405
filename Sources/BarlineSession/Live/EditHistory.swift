import Foundation

/// The documents that a session has been, and the way back to them.
///
/// Edits, undo and redo may take long, and one comes after the other: each begins with ``begin()`` and ends with
/// ``end(_:mergeKey:from:to:at:)``, ``end(_:source:)`` or ``cancel()``. Steps that are done meanwhile stay steps of their
/// own.
struct EditHistory {
    struct Step {
        let label: String
        let mergeKey: String?
        /// Whether rows went elsewhere, with what is in them.
        var movesRows = false
        var before: SessionDocument
        var after: SessionDocument
        var time: Double
        /// Later steps have greater numbers.
        var number = 0
    }

    /// A step back, or forth again.
    struct Move {
        fileprivate let step: Step
        fileprivate let isUndo: Bool
        /// The document from which it leads.
        fileprivate let base: SessionDocument

        /// The document to which it leads.
        fileprivate var target: SessionDocument { isUndo ? step.before : step.after }

        /// Whether rows go elsewhere.
        var movesRows: Bool { step.movesRows }

        /// What becomes of `document`, which has what was done since the move began.
        func applied(to document: SessionDocument, source: String) throws(SessionError) -> SessionDocument {
            try target.merging(document, since: base, file: source)
        }
    }

    /// Steps that can be undone.
    static let capacity = 200
    /// Seconds within which two moves of one control are one step.
    static let mergeTime = 1.0

    private(set) var done: [Step] = []
    private(set) var undone: [Step] = []
    /// The document after the last step.
    private(set) var present: SessionDocument
    private var nextNumber = 0
    /// The first number of a step that something may be merged into, while an edit or a move is under way.
    private(set) var mark: Int?

    init(_ document: SessionDocument) { present = document }

    /// Takes in that the document is another one now.
    mutating func add(
        _ label: String, mergeKey: String? = nil, movesRows: Bool = false, _ document: SessionDocument,
        at time: Double
    ) {
        if document == present { return }
        if let mergeKey, undone.isEmpty, let last = done.last, last.mergeKey == mergeKey, last.number >= mark ?? 0,
            time - last.time < EditHistory.mergeTime
        {
            done[done.count - 1].after = document
            done[done.count - 1].time = time
        } else {
            append(
                Step(
                    label: label, mergeKey: mergeKey, movesRows: movesRows, before: present, after: document,
                    time: time))
        }
        undone = []
        present = document
    }

    private mutating func append(_ step: Step, at index: Int? = nil) {
        var step = step
        step.number = nextNumber
        nextNumber += 1
        done.insert(step, at: index ?? done.count)
        if done.count > EditHistory.capacity { done.removeFirst() }
    }

    /// Has what follows be a step of its own, however soon it comes.
    mutating func seal() {
        if !done.isEmpty { done[done.count - 1].time = -.infinity }
    }

    // MARK: What takes its time

    /// Begins an edit: what is done meanwhile is no part of steps that were done before.
    mutating func begin() { mark = nextNumber }

    /// Ends what was begun, with no step.
    mutating func cancel() { mark = nil }

    /// The steps that were added since something was begun, as places in ``done``.
    private var meanwhile: Range<Int> {
        guard let mark else { return done.count..<done.count }
        return (done.firstIndex { $0.number >= mark } ?? done.count)..<done.count
    }

    /// Ends an edit, which has made `after` of `before`.
    mutating func end(
        _ label: String, mergeKey: String?, movesRows: Bool = false, from before: SessionDocument,
        to after: SessionDocument, at time: Double
    ) {
        let meanwhile = meanwhile
        mark = nil
        if meanwhile.isEmpty, present == before {
            return add(label, mergeKey: mergeKey, movesRows: movesRows, after, at: time)
        }
        // What is in the document that it has found was done before it, all else behind it.
        if let last = meanwhile.last(where: { done[$0].after == before }) {
            if before != after {
                append(
                    Step(
                        label: label, mergeKey: mergeKey, movesRows: movesRows, before: before, after: after,
                        time: time), at: last + 1)
            }
            restate(meanwhile.upperBound - last - 1, from: after) { $0 }
            undone = []
            return
        }
        // Steps that went on behind it hold what was done before it too: it is put before them all.
        func edited(_ document: SessionDocument) -> SessionDocument {
            (try? after.merging(document, since: before, file: "")) ?? document
        }
        let base = meanwhile.isEmpty ? present : done[meanwhile.lowerBound].before
        let made = edited(base)
        if base != made {
            let step = Step(
                label: label, mergeKey: mergeKey, movesRows: movesRows, before: base, after: made, time: time)
            append(step, at: meanwhile.lowerBound)
        }
        if base != made || !meanwhile.isEmpty { undone = [] }
        restate(meanwhile.count, from: made) { base == before ? $0 : edited($0) }
    }

    /// Begins to take the last step back, or to do the one again that was taken back last.
    ///
    /// - Returns: `nil` where there is none; nothing is begun then.
    mutating func begin(undo isUndo: Bool) -> Move? {
        guard let step = isUndo ? done.last : undone.last else { return nil }
        begin()
        return Move(step: step, isUndo: isUndo, base: present)
    }

    /// Ends a move, which was applied.
    mutating func end(_ move: Move, source: String) {
        let meanwhile = meanwhile
        mark = nil
        if move.isUndo {
            done.removeAll { $0.number == move.step.number }
        } else {
            var step = move.step
            // What follows is a step of its own, however soon it comes.
            step.time = -.infinity
            append(step, at: meanwhile.lowerBound)
        }
        if meanwhile.isEmpty {
            if move.isUndo { undone.append(move.step) } else { _ = undone.popLast() }
        }
        restate(meanwhile.count, from: move.target) { document in
            (try? move.applied(to: document, source: source)) ?? document
        }
    }

    /// Has the last `count` steps follow `document`, each with what it leads to restated.
    private mutating func restate(
        _ count: Int, from document: SessionDocument, _ restated: (SessionDocument) -> SessionDocument
    ) {
        present = document
        let steps = done.suffix(count)
        done.removeLast(count)
        for var step in steps {
            (step.before, step.after) = (present, restated(step.after))
            if step.before != step.after { done.append(step) }
            present = step.after
        }
    }
}
