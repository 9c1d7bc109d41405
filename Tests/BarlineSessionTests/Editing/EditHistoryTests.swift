import BarlineTestSupport
import Testing

@testable import BarlineSession

/// The steps of a session beside a model of them: what each has set, from what.
@Suite("History of a session", .fewAtATime)
struct EditHistoryTests {
    private struct Step {
        let track: Int
        var old: Double
        let new: Double
    }

    /// A session of a few faders, and who moves them.
    private struct Studio {
        var random: TestRandom
        var document = SessionDocument()
        var history: EditHistory
        var done: [Step] = []
        var undone: [Step] = []
        var number = 0

        init(seed: UInt64) {
            random = TestRandom(seed: seed)
            for track in 0..<3 { document.tracks.append(TrackDocument(id: "t\(track)", name: "Track \(track)")) }
            history = EditHistory(document)
        }

        /// What a step is about to set.
        mutating func step() -> Step {
            number += 1
            let track = random.int(0...2)
            return Step(track: track, old: document.tracks[track].gain, new: Double(-number) / 100)
        }

        /// Moves a fader, at once.
        mutating func move() {
            let step = step()
            document.tracks[step.track].gain = step.new
            history.add("move", document, at: Double(number))
            done.append(step)
            undone = []
        }

        mutating func moveSometimes() { for _ in 0..<random.int(0...5) / 3 { move() } }

        /// An edit, beside which faders are moved.
        mutating func edit() {
            history.begin()
            moveSometimes()
            let before = document
            if random.int(0...5) == 0 { return history.cancel() }
            let step = step()
            document.tracks[step.track].gain = step.new
            let after = document
            done.append(step)
            undone = []
            moveSometimes()
            history.end("edit", mergeKey: nil, from: before, to: after, at: Double(number))
        }

        /// A step back or forth, beside which faders are moved.
        mutating func travel(isUndo: Bool) throws {
            guard let taken = isUndo ? done.last : undone.last else {
                #expect(history.begin(undo: isUndo) == nil)
                return
            }
            let begun = history.begin(undo: isUndo)
            let move = try #require(begun)
            let (steps, others) = (done.count, undone)
            moveSometimes()
            if random.int(0...5) == 0 { return history.cancel() }
            document = try move.applied(to: document, source: "test")
            moveSometimes()
            history.end(move, source: "test")
            // As if all of it had been done first, and what came meanwhile afterwards.
            var later = Array(done[steps...])
            done.removeLast(later.count)
            if isUndo { done.removeLast() } else { done.append(taken) }
            let now = isUndo ? taken.old : taken.new
            if let first = later.firstIndex(where: { $0.track == taken.track }) { later[first].old = now }
            done += later
            if later.isEmpty { undone = isUndo ? others + [taken] : others.dropLast() }
        }

        /// Where the faders are by the model.
        var gains: [Double] {
            done.reduce(into: [0, 0, 0]) { gains, step in gains[step.track] = step.new }
        }
    }

    @Test("Each step is taken back by itself, whatever was done beside it", arguments: 1...20 as ClosedRange<UInt64>)
    func steps(seed: UInt64) throws {
        var studio = Studio(seed: seed)
        for _ in 0..<120 {
            switch studio.random.int(0...5) {
            case 0: studio.move()
            case 1, 2: studio.edit()
            case 3, 4: try studio.travel(isUndo: true)
            default: try studio.travel(isUndo: false)
            }
            #expect(studio.document.tracks.map(\.gain) == studio.gains)
            #expect(studio.history.present == studio.document)
            #expect(studio.history.done.count == studio.done.count)
            #expect(studio.history.undone.count == studio.undone.count)
            for (step, expected) in zip(studio.history.done, studio.done) {
                #expect(step.before.tracks[expected.track].gain == expected.old)
                #expect(step.after.tracks[expected.track].gain == expected.new)
            }
        }
        #expect(studio.number > 100)
    }

    @Test("A fader that moves on while an edit is done is not taken back with it")
    func merging() throws {
        var document = SessionDocument()
        document.tracks = [TrackDocument(id: "t", name: "Track")]
        var history = EditHistory(document)
        func moved(_ gain: Double) -> SessionDocument {
            document.tracks[0].gain = gain
            return document
        }
        history.add("Gain", mergeKey: "gain", moved(-1), at: 0)
        history.add("Gain", mergeKey: "gain", moved(-2), at: 0.1)
        history.begin()
        history.add("Gain", mergeKey: "gain", moved(-3), at: 0.2)
        let before = document
        document.tempo = 90
        let after = document
        history.add("Gain", mergeKey: "gain", moved(-4), at: 0.3)
        history.end("Tempo", mergeKey: nil, from: before, to: after, at: 0.4)
        #expect(history.done.map(\.label) == ["Gain", "Tempo", "Gain"])
        #expect(history.present == document)
        var seen: [[Double]] = []
        while let move = history.begin(undo: true) {
            history.end(move, source: "test")
            seen.append([history.present.tracks[0].gain, history.present.tempo])
        }
        #expect(seen == [[-2, 90], [-2, 120], [0, 120]])
    }

    @Test("Of two faders that move while an edit is done, the one that moves on does not take it back")
    func mergingOfTwo() throws {
        var document = SessionDocument()
        document.tracks = [TrackDocument(id: "t", name: "One"), TrackDocument(id: "u", name: "Two")]
        var history = EditHistory(document)
        func move(_ track: Int, _ gain: Double) {
            document.tracks[track].gain = gain
            history.add("Gain \(track)", mergeKey: "gain \(track)", document, at: 0)
        }
        history.begin()
        move(0, -1)
        move(1, -2)
        let before = document
        document.tempo = 90
        let after = document
        move(1, -3)
        history.end("Tempo", mergeKey: nil, from: before, to: after, at: 0.4)
        #expect(history.present == document)
        var seen: [[Double]] = []
        while let move = history.begin(undo: true) {
            history.end(move, source: "test")
            let present = history.present
            seen.append([present.tracks[0].gain, present.tracks[1].gain, present.tempo])
        }
        #expect(seen == [[-1, 0, 90], [0, 0, 90], [0, 0, 120]])
    }
}
