import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Writes that fail at their *k*-th call, for every *k*, under a real program.
@Suite("Writes that fail", .enabled(if: PreloadedLibrary.canBeMade))
struct WriteFaultTests {
    @Test(
        "A save leaves the old file or the new one, says which, and leaves nothing beside it",
        arguments: FailingWrites.Fault.allCases)
    func saves(fault: FailingWrites.Fault) throws {
        let faulty = try FaultyProgram(.session)
        let folder = faulty.set.folder
        var saved: Set<[UInt8]> = [try folder.bytes("set.barline")]
        try forEachCall(of: faulty.disk, fault) { call, end in
            // What a save keeps of the version before is there to be kept.
            try faulty.name("Before \(call)")
            #expect(try faulty.ask(#"{"do": "save"}"#).isDone)
            let old = try folder.bytes("set.barline")
            saved.insert(old)
            try faulty.name("Name \(call)")
            try faulty.disk.fail(fault, at: call)
            let answer = try faulty.ask(#"{"do": "save"}"#)
            try end()
            if answer.isDone {
                #expect(try SessionDocument(path: faulty.set.session).tracks[1].name == "Name \(call)")
            } else {
                #expect(try folder.bytes("set.barline") == old)
                #expect(answer.error.contains("can't be written: "))
            }
            saved.insert(try folder.bytes("set.barline"))
        }
        let versions = faulty.files("data/barline/versions").filter { $0.hasSuffix(".barline") }
        #expect(versions.count == 10)
        for version in versions { #expect(saved.contains(try folder.bytes("data/barline/versions/\(version)"))) }
        #expect(faulty.files("").allSatisfy { !$0.contains(".part") })
    }

    @Test(
        "A session that can't be saved under another name stays where it is, with its past",
        arguments: FailingWrites.Fault.allCases)
    func savesElsewhere(fault: FailingWrites.Fault) throws {
        let faulty = try FaultyProgram(.session)
        let home = faulty.set.folder.path("data/barline/sessions")
        var path = faulty.set.session
        try faulty.name("Before")
        try forEachCall(of: faulty.disk, fault) { call, end in
            try faulty.name("Name \(call)")
            try faulty.disk.fail(fault, at: call)
            let answer = try faulty.ask(#"{"do": "saveAs", "name": "Other \#(call)"}"#)
            try end()
            let other = "\(home)/Other \(call).barline"
            #expect(FileManager.default.fileExists(atPath: other) == answer.isDone)
            if answer.isDone {
                path = other
            } else {
                #expect(answer.error.contains("can't be written: "))
                #expect(try faulty.ask(#"{"do": "undo"}"#).isDone)
                #expect(try faulty.ask(#"{"do": "redo"}"#).isDone)
            }
            #expect(try faulty.ask(#"{"do": "save"}"#).isDone)
            #expect(FileManager.default.fileExists(atPath: other) == answer.isDone)
            let document = try SessionDocument(path: path)
            #expect(document.tracks[1].name == "Name \(call)")
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for clip in document.tracks.flatMap(\.clips) {
                #expect(
                    FileManager.default.fileExists(atPath: URL(fileURLWithPath: clip.file, relativeTo: folder).path))
            }
        }
        #expect(faulty.files("").allSatisfy { !$0.contains(".part") })
    }

    @Test(
        "What is not saved can be read at every moment, and is up to date soon after the disk works again",
        arguments: FailingWrites.Fault.allCases, [true, false])
    func journal(fault: FailingWrites.Fault, isNew: Bool) throws {
        let faulty = try FaultyProgram(.state)
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: faulty.set.folder.path("data/barline"), isDirectory: true),
            state: URL(fileURLWithPath: faulty.set.folder.path("state/barline"), isDirectory: true))
        /// The name that a track has in the copy; `nil` where there is none.
        func kept() throws -> String? {
            let copies = Autosave.all(of: faulty.set.session, in: library)
            #expect(copies.count < 2)
            return try copies.first?.read().tracks[1].name
        }
        try forEachCall(of: faulty.disk, fault, atLeast: 2) { call, end in
            try faulty.name("Before \(call)")
            #expect(eventually { (try? kept()) == "Before \(call)" })
            // After a save there is no copy, and the next one is begun.
            if isNew { #expect(try faulty.ask(#"{"do": "save"}"#).isDone) }
            try faulty.disk.fail(fault, at: call)
            try faulty.name("Name \(call)")
            // The copy is written when there is time for it, which a busy machine has late.
            var looks = 0
            var isTried = false
            while looks < 10 || !isTried && looks < 1_000 {
                Thread.sleep(forTimeInterval: 0.03)
                let name = try kept()
                #expect(name == "Name \(call)" || name == (isNew ? nil : "Before \(call)"))
                looks += 1
                isTried = try name == "Name \(call)" || faulty.disk.hasFailed()
            }
            try end()
            #expect(eventually { (try? kept()) == "Name \(call)" })
        }
        faulty.program.signal(SIGKILL)
        _ = try faulty.program.wait()
        #expect(try kept()?.hasPrefix("Name ") == true)
        #expect(faulty.files("state/barline/autosave").allSatisfy { !$0.contains(".part") })
    }

    @Test(
        "A take has all that was played, or its end is told of; what is there can be played, and its script renders it",
        arguments: FailingWrites.Fault.allCases)
    func takes(fault: FailingWrites.Fault) throws {
        let faulty = try FaultyProgram(.recordings)
        let (folder, recordings) = (faulty.set.folder, "data/barline/recordings")
        try faulty.ask(#"{"do": "launch", "clip": "a"}"#)
        try forEachCall(of: faulty.disk, fault) { call, end in
            try faulty.disk.fail(fault, at: call)
            let begun = try faulty.ask(#"{"do": "record", "on": true}"#)
            guard begun.isDone else {
                try end()
                #expect(begun.error.contains("can't be written: "))
                return #expect(faulty.files(recordings).isEmpty)
            }
            Thread.sleep(forTimeInterval: 0.1)
            try faulty.ask(#"{"do": "launch", "clip": "b"}"#)
            Thread.sleep(forTimeInterval: 0.05)
            let ended = try faulty.ask(#"{"do": "record", "on": false}"#)
            try end()
            if ended.error.contains("no recording is under way") {
                #expect(eventually { faulty.program.errors.contains("which is kept: \(folder.path(recordings))") })
            } else if !ended.isDone {
                #expect(ended.error.contains("can't be written: "))
            }
            // A take that could not be completed is offered, and repaired; of one without sound nothing is left.
            var files: [String] = []
            let isWhole = try eventually(within: 30) {
                if try faulty.run(["takes", "--json"]).status != 0 { return false }
                files = faulty.files(recordings)
                let sounds = files.filter { $0.hasSuffix(".wav") }.map { folder.path("\(recordings)/\($0)") }
                guard sounds.allSatisfy({ (try? WaveContents(path: $0)) != nil }) else { return false }
                return sounds.isEmpty || files.contains { $0.hasSuffix(".jsonl") }
            }
            #expect(isWhole)
            let stems = Set(files.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
            #expect(stems.count < 2 && files.allSatisfy { !$0.contains(".part") })
            if let stem = stems.first, files.contains("\(stem).wav") {
                let wave = try WaveContents(path: folder.path("\(recordings)/\(stem).wav"))
                if ended.isDone { #expect(wave.frameCount > 4_800) }
                let script = folder.path("\(recordings)/\(stem).jsonl")
                let render = try faulty.run(["render", "--script", script, "--output", folder.path("again.wav")])
                #expect(render.status == 0 || wave.frameCount == 0, "\(render.errors)")
                if wave.frameCount > 0 {
                    #expect(try WaveContents(path: folder.path("again.wav")).channels == wave.channels)
                }
            } else {
                #expect(!ended.isDone)
            }
            for file in files { unlink(folder.path("\(recordings)/\(file)")) }
        }
    }

    @Test(
        "A render leaves whole files and says so, or leaves those that were there and says why",
        arguments: FailingWrites.Fault.allCases, ["main.wav", "main.flac"])
    func exports(fault: FailingWrites.Fault, name: String) throws {
        let set = try SmallSet()
        let out = try TemporaryFolder()
        let disk = try FailingWrites(for: out.path)
        let more = name == "main.wav" ? [] : ["--stems-out", out.path("stems"), "--events", out.path("events.jsonl")]
        let arguments = [
            "render", set.session, "--script", set.script, "--duration", "0.05", "--output", out.path(name),
        ]
        #expect(try Barline.run(arguments + more).status == 0)
        let names = try FileManager.default.subpathsOfDirectory(atPath: out.path).filter { $0.contains(".") }
        let whole = try names.map(out.bytes)
        let old = Array("what was there before".utf8)
        try forEachCall(of: disk, fault) { call, end in
            for name in names { try out.write(name, old) }
            try disk.fail(fault, at: call)
            let outcome = try Barline.run(arguments + more, environment: disk.environment)
            try end()
            let now = try names.map(out.bytes)
            if outcome.status == 0 {
                #expect(now == whole, "call \(call)")
            } else {
                #expect(outcome.errors.contains("can't be written: "), "\(outcome.errors)")
                for (now, whole) in zip(now, whole) { #expect(now == old || now == whole, "call \(call)") }
            }
            let there = try FileManager.default.subpathsOfDirectory(atPath: out.path).filter { $0.contains(".") }
            #expect(there.sorted() == names.sorted(), "call \(call)")
        }
    }

    /// Does something with the first call failing, then with the second, and so on until none has failed.
    ///
    /// - Parameters:
    ///   - disk: where calls fail.
    ///   - fault: how they fail.
    ///   - least: so many calls there are at least.
    ///   - body: lets the call fail, and calls its second argument when that is over.
    /// - Throws: what `body` throws.
    private func forEachCall(
        of disk: FailingWrites, _ fault: FailingWrites.Fault, atLeast least: Int = 5,
        _ body: (_ call: Int, _ end: () throws -> Void) throws -> Void
    ) throws {
        var call = 0
        var hasFailed = true
        while hasFailed, call < 300 {
            call += 1
            try body(call) { hasFailed = try disk.end() }
        }
        #expect(call > least && call < 300)
    }
}

/// A program whose writes to one place can fail.
private final class FaultyProgram {
    enum Place {
        /// The session, its versions and the library.
        case session
        /// The copies of what is not saved.
        case state
        case recordings
    }

    struct Answer {
        let values: [String: Any]

        var isDone: Bool { values["ok"] as? Bool == true }
        var error: String { values["error"] as? String ?? "" }
    }

    let set: SmallSet
    let disk: FailingWrites
    let program: BarlineTestSupport.Program
    private let environment: [String: String]

    init(_ place: Place) throws {
        set = try SmallSet(settings: #""launchQuantization": "none", "firstLaunch": "immediate", "#)
        // Copies of what is not saved are written whenever there is time for it.
        let state = place == .session ? try TemporaryFolder() : set.folder
        self.state = state
        switch place {
        case .session: disk = try FailingWrites(for: set.folder.path)
        case .state: disk = try FailingWrites(for: state.path("state/barline/autosave"))
        case .recordings: disk = try FailingWrites(for: set.folder.path("data/barline/recordings"))
        }
        environment = Barline.environment.merging([
            "XDG_DATA_HOME": set.folder.path("data"), "XDG_STATE_HOME": state.path("state"),
        ]) { $1 }
        program = try BarlineTestSupport.Program(
            Barline.path, ["run", set.session, "--backend", "null", "--no-page", "--json"],
            environment: environment.merging(disk.environment) { $1 })
    }

    private let state: TemporaryFolder

    deinit { program.end() }

    /// Asks for something in a line of JSON, and waits for the answer.
    @discardableResult
    func ask(_ action: String) throws -> Answer {
        let before = acknowledgements.count
        program.send(action + "\n")
        _ = eventually { acknowledgements.count > before || !program.isRunning }
        let lines = acknowledgements
        try #require(lines.count > before, "\(action): \(program.errors)")
        return Answer(values: try #require(try JSONLines.objects(lines[before]).first))
    }

    private var acknowledgements: [String] {
        program.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .filter { $0.contains(#""event":"ack""#) }.map(String.init)
    }

    /// Names a track.
    func name(_ name: String) throws {
        #expect(try ask(#"{"do": "editTrack", "track": "bass", "set": {"name": "\#(name)"}}"#).isDone)
    }

    /// Runs a command with the program's folders, in which every write succeeds.
    func run(_ arguments: [String]) throws -> BarlineTestSupport.Program.Outcome {
        try BarlineTestSupport.Program.run(Barline.path, arguments, environment: environment)
    }

    /// All files below a folder.
    func files(_ folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: set.folder.path(folder))) ?? []
        return names.filter { $0.contains(".") }.sorted()
    }
}
