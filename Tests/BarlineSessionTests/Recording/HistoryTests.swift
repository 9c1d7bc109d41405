@testable import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// What was done since everything was at rest: all of it is known, and little of it is in memory.
@Suite("Histories", .fewAtATime)
struct HistoryTests {
    private func document(_ number: Int, tracks: Int = 3) -> SessionDocument {
        var document = SessionDocument()
        document.name = "Größe \(number) 🎹"
        document.tracks = (0..<tracks).map { index in
            var track = TrackDocument(id: "t\(index)", name: "Track \(index)")
            track.gain = -Double((number * 7 + index) % 60) / 3
            return track
        }
        return document
    }

    private func history() -> PerformanceHistory {
        PerformanceHistory(SessionDocument(), path: "/sets/one/set.barline", sampleRate: .standard)
    }

    @Test("What was done before all came to rest, and is told of afterwards, is not before the beginning")
    func restBetween() {
        var history = history()
        let command = CommandID(rawValue: 1)
        history.add(EngineEvent(frame: FrameTime(100), kind: .commandTaken(command)))
        history.begin(document(0), path: "/sets/one/set.barline", at: FrameTime(1_124), [])
        history.holds = 1
        history.add([.gain(.track("t0"), db: -6)], sentAs: command, at: nil, path: "/sets/one/set.barline")
        let frames = history.script(since: FrameTime(2_000), isComplete: true).entries.compactMap {
            $0.time.frame(at: .standard)?.rawValue
        }
        #expect(frames == [1_124 - 2_000])
    }

    @Test("An edit of the list comes after the edit of the session that it follows, whose frame is not known yet")
    func listAfterSession() {
        var history = history()
        history.holds = 1
        let command = CommandID(rawValue: 1)
        let edits: [PlaylistAction] = [.insert(index: 0, file: "a.wav", id: "a", title: nil), .move(from: 0, to: 0)]
        history.add([.session(document(1))], sentAs: command, at: nil, path: "/sets/one/set.barline")
        for edit in edits { history.addListEdit(edit, at: FrameTime(100), path: "/sets/one/set.barline") }
        history.add(EngineEvent(frame: FrameTime(612), kind: .commandTaken(command)))
        let entries = history.script(since: .zero, isComplete: true).entries
        #expect(entries.map(\.action) == [.session(document(1))] + edits.map(ScriptAction.playlist))
        #expect(entries.allSatisfy { $0.time == .frame(FrameTime(612)) })
    }

    @Test("A jump for a bar line comes before the version of its item that is told of with it")
    func jumpWithVersion() {
        var history = history()
        history.holds = 1
        let command = CommandID(rawValue: 1)
        let change = ScriptAction.playlist(.transpose(index: nil, semitones: 2))
        history.add([.playlist(.next)], sentAs: command, at: Bar(3), path: "/sets/one/set.barline")
        history.add([change], sentAs: command, at: nil, path: "/sets/one/set.barline")
        history.add(EngineEvent(frame: FrameTime(96_000), kind: .commandTaken(command)))
        let entries = history.script(since: .zero, isComplete: true).entries
        #expect(entries.map(\.action) == [.playlist(.next), change])
        #expect(entries.allSatisfy { $0.time == .frame(FrameTime(96_000)) })
    }

    @Test(
        "Of a jump that is sent anew, and again, the last command says when it came",
        arguments: [FrameTime(96_000) as any Moment, Bar(3)])
    func resent(moment: any Moment) {
        var history = history()
        history.holds = 1
        let commands = (1...3).map { CommandID(rawValue: $0) }
        let jumps: [PlaylistAction] = [.previous, .next]
        history.add(jumps.map(ScriptAction.playlist), sentAs: commands[0], at: moment, path: "/sets/one/set.barline")
        // Once for each of them, and one that was asked for since is sent as the same command.
        for _ in jumps { history.resend(commands[0], as: commands[1]) }
        history.add([.playlist(.seek(1))], sentAs: commands[1], at: moment, path: "/sets/one/set.barline")
        // What was taken back is taken all the same, and does nothing.
        history.add(EngineEvent(frame: FrameTime(96_000), kind: .commandTaken(commands[0])))
        history.add(EngineEvent(frame: FrameTime(96_512), kind: .commandLate(commands[2], frames: 512)))
        for _ in 0..<3 { history.resend(commands[1], as: commands[2]) }
        let entries = history.script(since: .zero, isComplete: true).entries
        #expect(entries.map(\.action) == [.playlist(.previous), .playlist(.next), .playlist(.seek(1))])
        #expect(entries.allSatisfy { $0.time == .frame(FrameTime(96_512)) })
        #expect(history.waiting.isEmpty && history.plans.isEmpty)
    }

    @Test("Thousands of edits, faders and plans are known in their order, and memory holds a few hundred at most")
    func order() throws {
        var random = TestRandom(seed: 11)
        var history = history()
        history.holds = 1
        // The model: every action with its frame, its command, and by how much it was late.
        var model: [(frame: Int64, command: Int, action: ScriptAction, late: Int64)] = []
        var frame: Int64 = 0
        var planned: [(index: Int, command: Int)] = []
        for command in 0..<4_000 {
            frame += Int64(random.int(0...300))
            let id = CommandID(rawValue: command)
            let action: ScriptAction =
                switch random.int(0...3) {
                case 0: .session(document(command))
                case 1: .gain(.track("t\(random.int(0...2))"), db: random.amplitude() * 30)
                case 2: .launch(clip: "clip \(command)")
                default: .tempo(bpm: 90 + random.amplitude(), ramp: 0)
                }
            if random.int(0...9) == 0 {
                history.add([action], sentAs: id, at: FrameTime(frame + 5_000), path: "/sets/one/set.barline")
                planned.append((model.count, command))
                model.append((frame + 5_000, command, action, 0))
            } else {
                history.add([action], sentAs: id, at: nil, path: "/sets/one/set.barline")
                history.add(EngineEvent(frame: FrameTime(frame), kind: .commandTaken(id)))
                model.append((frame, command, action, 0))
            }
            // Plans turn out to be late long after they have left the memory.
            if planned.count > 150 {
                let (index, command) = planned.removeFirst()
                model[index].late = 77
                model[index].frame += 77
                let id = CommandID(rawValue: command)
                history.add(
                    EngineEvent(
                        frame: FrameTime(model[index].frame), kind: .commandLate(id, frames: 77)))
            }
            #expect(command % 500 != 0 || history.steps.count <= 300)
        }
        #expect(history.steps.count <= 300)
        let expected = model.sorted { ($0.frame, $0.command) < ($1.frame, $1.command) }
        let entries = history.script(since: .zero, isComplete: true).entries
        #expect(entries.count == expected.count)
        #expect(entries.map(\.action) == expected.map(\.action))
        #expect(entries.map { ($0.time.frame(at: .standard) ?? .zero).rawValue } == expected.map(\.frame))
        #expect(entries.map(\.late) == expected.map(\.late))
        // Paths that start elsewhere are made whole, as ever.
        history.add(
            .playlist(.insert(index: 0, file: "x.wav", id: "x", title: nil)), at: FrameTime(frame), isPlanned: false,
            path: "/sets/two/set.barline")
        for _ in 0..<300 { history.add(.tap, at: FrameTime(frame), isPlanned: false, path: "/sets/one/set.barline") }
        let inserts = history.script(since: .zero, isComplete: true).entries.compactMap { entry -> String? in
            if case .playlist(.insert(_, let file, _, _)) = entry.action { file } else { nil }
        }
        #expect(inserts == ["/sets/two/x.wav"])
        #expect(history.hasTap(since: FrameTime(frame)) && !history.hasTap(since: FrameTime(frame + 1)))
        #expect(!history.isOfSession(before: FrameTime(frame + 100_000)))
    }

    @Test("An edit that needs no command comes after one that the engine has not taken yet")
    func editOrder() {
        var history = history()
        history.holds = 1
        let (first, second) = (document(1), document(2))
        let command = CommandID(rawValue: 5)
        let path = "/sets/one/set.barline"
        history.add([.session(first, kept: [])], sentAs: command, at: nil, path: path)
        history.addEdit(.session(second, kept: []), at: FrameTime(4_096), path: path)
        history.add(EngineEvent(frame: FrameTime(4_096), kind: .commandTaken(command)))
        let entries = history.script(since: .zero, isComplete: true).entries
        #expect(entries.map(\.action) == [.session(first, kept: []), .session(second, kept: [])])
        #expect(entries.allSatisfy { $0.time.frame(at: .standard) == FrameTime(4_096) })
    }

    @Test("Plans that the session keeps are no plans any more, wherever they were written")
    func keptPlans() throws {
        var history = history()
        history.holds = 1
        var lines: [TakeJournal.Line] = []
        _ = history.beginJournal(since: .zero)
        let count = 900
        func gain(_ command: Int) -> ScriptAction { .gain(.track("t\(command)"), db: -Double(command % 60)) }
        for command in 0..<count {
            history.add(
                [gain(command)], sentAs: CommandID(rawValue: command), at: FrameTime(Int64(command) * 100),
                path: "/sets/one/set.barline")
            if command % 7 == 0 { lines += history.takeJournal(since: .zero) }
        }
        // Every third one comes late, every second one is kept, in either order.
        for command in 0..<count {
            let id = CommandID(rawValue: command)
            if command % 4 == 0 { history.keepPlan(id, revision: 0) }
            let frame = FrameTime(Int64(command) * 100 + 20)
            if command % 3 == 0 { history.add(EngineEvent(frame: frame, kind: .commandLate(id, frames: 20))) }
            if command % 4 == 2 { history.keepPlan(id, revision: 0) }
            if command % 5 == 0 { lines += history.takeJournal(since: .zero) }
        }
        lines += history.takeJournal(since: .zero)
        let folder = try TemporaryFolder()
        let beginning = ScriptBeginning(
            session: SessionDocument(), folder: "/sets/one", frame: .zero, frames: nil, sampleRate: .standard)
        let journal = try TakeJournal(path: folder.path("take.unfinished"))
        try journal.begin(beginning)
        try journal.append(lines)
        let text = try String(contentsOfFile: journal.path, encoding: .utf8)
        let known = history.script(since: .zero, isComplete: true).entries
        let read = try PerformanceScript(journal: text, path: journal.path).entries
        for entries in [known, read] {
            #expect(entries.map(\.action) == (0..<count).map(gain))
            #expect(entries.map(\.isPlanned) == (0..<count).map { $0 % 2 == 1 })
            #expect(entries.map(\.late) == (0..<count).map { $0 % 3 == 0 ? 20 : 0 })
        }
    }

    @Test("A copy is not changed by what comes later, nor by a history that begins anew")
    func copies() {
        var history = history()
        history.holds = 1
        func add(_ count: Int) {
            for _ in 0..<count {
                history.add(.launch(clip: "a"), at: FrameTime(1), isPlanned: false, path: "/sets/one/set.barline")
            }
        }
        add(700)
        let copy = history
        add(700)
        #expect(copy.script(since: .zero, isComplete: false).entries.count == 700)
        #expect(history.script(since: .zero, isComplete: false).entries.count == 1_400)
        history.begin(SessionDocument(), path: "/sets/one/set.barline", at: FrameTime(10), [.tempo(bpm: 99, ramp: 0)])
        #expect(history.script(since: .zero, isComplete: false).entries.count == 1)
        #expect(copy.script(since: .zero, isComplete: false).entries.count == 700)
    }

    @Test("Another sample rate counts what is in the file, too")
    func rates() throws {
        var history = history()
        history.holds = 1
        for frame in 0..<1_000 {
            history.add(
                .launch(clip: "c\(frame)"), at: FrameTime(Int64(frame) * 48), isPlanned: false,
                path: "/sets/one/set.barline")
        }
        let double = try #require(SampleRate(96_000))
        history.add(EngineEvent(frame: FrameTime(48_000), kind: .transport(.sampleRateChanged(double))))
        for _ in 0..<300 {
            history.add(.tap, at: FrameTime(50_000), isPlanned: false, path: "/sets/one/set.barline")
        }
        let entries = history.script(since: .zero, isComplete: true).entries
        let frames = entries.filter { $0.action != .tap }.map { ($0.time.frame(at: .standard) ?? .zero).rawValue }
        let expected = (0..<Int64(1_000)).map { (index: Int64) -> Int64 in
            let before = 48_000 - index * 48
            return 48_000 - before * 2
        }
        #expect(frames == expected)
        #expect(history.steps.count <= 300)
    }

    @Test("Every verb comes back from the file as it went into it")
    func verbs() throws {
        let folder = try TemporaryFolder()
        let file = try #require(HistoryFile(in: URL(fileURLWithPath: folder.path, isDirectory: true)))
        var actions = RandomActions(seed: 4)
        var steps: [HistoryStep] = []
        for verb in ScriptAction.verbs.map(\.facts) {
            for form in verb.forms {
                for _ in 0..<8 {
                    let line = JSONValue.object(actions.object(verb, form)).line
                    guard let action = try? ScriptAction(json: line, source: "test") else { continue }
                    var entry = ScriptEntry(time: .frame(FrameTime(Int64(steps.count) - 20)), action: action)
                    entry.isPlanned = steps.count % 3 == 0
                    entry.late = steps.count % 5 == 0 ? 12 : 0
                    let place = URL(fileURLWithPath: "/sets/\(steps.count % 2)/", isDirectory: true).standardizedFileURL
                    steps.append(HistoryStep(entry: entry, order: steps.count - 3, folder: place))
                }
            }
        }
        #expect(steps.count > 200)
        for number in 0..<20 {
            let entry = ScriptEntry(time: .frame(.zero), action: .session(document(number, tracks: number % 4)))
            steps.append(
                HistoryStep(entry: entry, order: 1, folder: URL(fileURLWithPath: "/", isDirectory: true)))
        }
        for step in steps { file.append([step]) }
        file.waitUntilWritten()
        let found = file.steps(steps.count)
        #expect(found.count == steps.count)
        for (one, other) in zip(found, steps) where one != other {
            Issue.record("\(JSONValue.object(one.entry.json).line) of \(JSONValue.object(other.entry.json).line)")
        }
        #expect(file.steps(9) == Array(steps.prefix(9)))
        // It has no name that would be left behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("An edit of a large session takes as little of the file as one of a small one")
    func sizes() throws {
        let folder = try TemporaryFolder()
        let file = try #require(HistoryFile(in: URL(fileURLWithPath: folder.path, isDirectory: true)))
        var session = document(0, tracks: 400)
        func append() {
            let entry = ScriptEntry(time: .frame(.zero), action: .session(session))
            file.append([HistoryStep(entry: entry, order: 1, folder: URL(fileURLWithPath: "/", isDirectory: true))])
            file.waitUntilWritten()
        }
        append()
        let first = file.bytes
        for number in 0..<100 {
            session.tracks[number * 3].name = "Other \(number)"
            append()
        }
        #expect(first > 10_000)
        #expect(file.bytes - first < 100 * 400)
        guard case .session(let last, _)? = file.steps(101).last?.entry.action else { return #expect(Bool(false)) }
        #expect(last == session)
    }

    @Test("On a full disk what has no place in the file stays in memory", .enabled(if: SmallDisk.canBeMade))
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.folder("disk"), bytes: 64 << 10)
        let file = try #require(HistoryFile(in: URL(fileURLWithPath: folder.path("disk"), isDirectory: true)))
        let steps = (0..<2_000).map { number in
            HistoryStep(
                entry: ScriptEntry(time: .frame(.zero), action: .launch(clip: "clip number \(number)")), order: number,
                folder: URL(fileURLWithPath: "/", isDirectory: true))
        }
        for step in steps { file.append([step]) }
        file.waitUntilWritten()
        #expect(file.bytes > 0 && file.bytes <= 64 << 10, "a line is longer than 32 bytes")
        #expect(file.steps(2_000) == steps)
        withExtendedLifetime(disk) {}
    }
}
