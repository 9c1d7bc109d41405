import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation
import Synchronization

/// A recording under way: what is done, the main output, and every strip.
///
/// All of it is on the disk as it happens, so that a program that is killed leaves a take that can be played, and its
/// script (``TakeJournal``). A disk that is full, or too slow, ends the recording with what was written: it is never
/// thrown away.
final class PerformanceRecorder: @unchecked Sendable {
    let name: String
    let isOfAudio: Bool
    /// Whether its first frame is not known yet: that on which the audio thread began to copy strips.
    private(set) var isWaiting: Bool
    /// The frame after its last one, once that is known.
    var until: FrameTime?
    /// Its first frame.
    private(set) var since = FrameTime.zero
    /// The rate of its frames.
    let sampleRate: SampleRate
    /// Its notices, until they are taken.
    let notices = Mutex<[SessionNotice]>([])
    /// The recording that it goes on with at another sample rate.
    let former: PerformanceRecorder?
    /// What it has become, and its length in seconds, once it is complete.
    private let made = Mutex<(files: [RecordedFile], seconds: Double)>(([], 0))
    /// Whether its journal has begun; used only by the thread that delivers the sound.
    var hasJournal = false

    private let paths: TakePaths
    // What follows is confined to this queue: a slow disk must not hold up the thread that delivers the audio.
    private let queue = DispatchQueue(label: "barline-recorder")
    private let file: TakeFile?
    private let recorded: RecordedStrips?
    private let strips: [StripFile]
    /// The strip that is the main output.
    private let mainStrip: Int?
    private let journal: TakeJournal
    private let reserve: DiskReserve
    private var warning = DiskWarning()
    private var problem: String?
    private var isJournalWhole = true
    /// Whether a file could not be completed, and is to be repaired when the program starts again.
    private var needsRepair = false
    /// The frame of what is written next, and that at which all is brought to the disk.
    private var next = FrameTime.zero
    private var nextUpdate = FrameTime.zero
    /// Frames that wait for the disk, and whether the recording has ended for want of it: for any thread.
    private let waiting = Atomic<Int>(0)
    private let broken = Atomic<Bool>(false)
    private let isTooSlow = Atomic<Bool>(false)

    /// Bytes that are held for the script.
    private static let reserveBytes = 1 << 20
    /// Frames that may wait for the disk: some two minutes.
    private static let waitingLimit = 1 << 23
    /// The same of each strip, where there are many: 20 seconds.
    private static let stripWaitingLimit = 1 << 20

    /// - Parameters:
    ///   - name: what its files are called.
    ///   - folder: where they are.
    ///   - sampleRate: the rate of its frames, from the first to the last.
    ///   - audio: whether the main output is recorded too.
    ///   - recorded: the strips that are recorded, each to a file of its own; then the main output is the first bus.
    ///   - former: the recording that it goes on with.
    /// - Throws: ``SessionError`` where the files can't be made.
    init(
        name: String, folder: URL, sampleRate: SampleRate, audio: Bool, strips recorded: RecordedStrips? = nil,
        after former: PerformanceRecorder? = nil
    ) throws(SessionError) {
        self.sampleRate = sampleRate
        self.name = name
        self.former = former
        isOfAudio = audio
        isWaiting = recorded != nil
        self.recorded = recorded
        mainStrip = recorded?.recording.strips.firstIndex(of: .bus(.main))
        paths = TakePaths(name, in: folder)
        try SessionLibrary.makeFolder(of: paths.script)
        journal = try TakeJournal(path: paths.journal)
        reserve = DiskReserve(near: paths.journal)
        reserve.hold(PerformanceRecorder.reserveBytes)
        var made: [String] = []
        do throws(AudioFileError) {
            file = audio ? try TakeFile(path: paths.audio, sampleRate: sampleRate) : nil
            if audio { made.append(paths.audio) }
            if recorded != nil { mkdir(paths.strips, 0o755) }
            var strips: [StripFile] = []
            for strip in recorded?.strips ?? [] {
                let path = paths.strip(strip.name)
                strips.append(try StripFile(path: path, sampleRate: sampleRate, isOptional: strip.isOptional))
                made.append(path)
            }
            self.strips = strips
        } catch {
            for path in made { unlink(path) }
            rmdir(paths.strips)
            journal.remove()
            throw .audio(path: paths.audio, key: "record", error)
        }
    }

    /// Sets the first frame, before anything is added.
    func begin(at frame: FrameTime) {
        since = frame
        next = frame
        nextUpdate = frame
        for strip in strips { strip.begin(at: frame) }
    }

    /// Takes in what it has become.
    func complete(as files: [RecordedFile], seconds: Double) { made.withLock { $0 = (files, seconds) } }

    /// What it has become, and how long it is in seconds, with all that it goes on with.
    var whole: (files: [RecordedFile], seconds: Double) {
        let (before, own) = (former?.whole ?? (files: [], seconds: 0), made.withLock { $0 })
        return (before.files + own.files, before.seconds + own.seconds)
    }

    /// Looks whether the audio thread has begun to copy strips.
    private func beginWithStrips() {
        guard isWaiting, let recording = recorded?.recording, let start = recording.start else { return }
        isWaiting = false
        for (place, strip) in strips.enumerated() {
            guard case .input = recording.strips[place] else { continue }
            strip.latency = Int(recording.latency(of: place))
        }
        // Where the rate of the output has changed meanwhile, another recording has what came before.
        begin(at: max(start, since))
    }

    /// Whether every strip is recorded.
    var isOfTracks: Bool { recorded != nil }

    /// The largest latency of the inputs, in frames.
    var lateness: Int64 { max(0, recorded?.lateness ?? 0) }

    /// Whether it has ended by itself, with what was written.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    // MARK: What is done

    /// Writes the journal's beginning, and what was done before it.
    func begin(_ beginning: ScriptBeginning, _ past: @escaping @Sendable () -> [TakeJournal.Line]) {
        queue.async { [self] in
            write { () throws(SessionError) in
                try journal.begin(beginning)
                try journal.append(past())
            }
        }
    }

    /// Journals what was done.
    func note(_ lines: [TakeJournal.Line]) {
        if lines.isEmpty { return }
        queue.async { [self] in write { () throws(SessionError) in try journal.append(lines) } }
    }

    private func write(_ body: () throws(SessionError) -> Void) {
        guard isJournalWhole else { return }
        do throws(SessionError) {
            try body()
            reserve.hold(PerformanceRecorder.reserveBytes + 2 * journal.bytes)
        } catch {
            // The program has the script still, and writes it at the end.
            isJournalWhole = false
            if problem == nil { notify("\(error): the script of the recording is kept in memory") }
        }
    }

    // MARK: What is heard

    /// Adds what sounded from `frame` on. A hole, because nobody took the sound in time, becomes silence: the frames of
    /// the script are those of the file.
    func add(left: ArraySlice<Float>, right: ArraySlice<Float>, frame: FrameTime) {
        let count = left.count
        enqueue(count) { [self] in
            if file == nil { next = frame + Int64(count) } else { write(left, right, frame) }
        }
    }

    /// Adds what strips gave, as far as it is within the recording.
    func add(_ pieces: [StripPiece]) {
        beginWithStrips()
        if isWaiting { return }
        let pieces = pieces.compactMap { $0.within(since..<max(since, until ?? FrameTime(.max))) }
        enqueue(pieces.reduce(0) { $0 + $1.left.count }) { [self] in
            for piece in pieces {
                write(piece)
                if piece.strip != mainStrip { continue }
                if file == nil {
                    next = piece.frame + Int64(piece.left.count)
                } else {
                    write(piece.left[...], piece.right[...], piece.frame)
                }
            }
        }
    }

    private func enqueue(_ count: Int, _ write: @escaping @Sendable () -> Void) {
        if count == 0 || isBroken || isTooSlow.load(ordering: .relaxed) { return }
        let limit = max(PerformanceRecorder.waitingLimit, strips.count * PerformanceRecorder.stripWaitingLimit)
        guard waiting.add(count, ordering: .relaxed).newValue <= limit else {
            isTooSlow.store(true, ordering: .relaxed)
            notify("the disk takes nothing: the recording ends with what waits for it")
            queue.async { [self] in end("is on a disk that is too slow") }
            return
        }
        queue.async { [self] in
            waiting.subtract(count, ordering: .relaxed)
            write()
            if next >= nextUpdate { update() }
        }
    }

    private func write(_ piece: StripPiece) {
        if problem != nil { return }
        do throws(AudioFileError) {
            try strips[piece.strip].write(piece)
        } catch {
            end(error.problem)
        }
    }

    private func write(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>, _ frame: FrameTime) {
        while problem == nil, next < frame {
            let count = Int(min(frame - next, Int64(PerformanceRecorder.silence.count)))
            write(PerformanceRecorder.silence[..<count], PerformanceRecorder.silence[..<count])
        }
        write(left, right)
    }

    private static let silence = ArraySlice([Float](repeating: 0, count: 4096))

    private func write(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) {
        guard let file, problem == nil else { return }
        do throws(AudioFileError) {
            try left.withUnsafeBufferPointer { left throws(AudioFileError) in
                try right.withUnsafeBufferPointer { right throws(AudioFileError) in
                    try file.write(left: left, right: right)
                }
            }
            next = next + Int64(left.count)
        } catch {
            end(error.problem)
        }
    }

    /// Brings all to the disk, once a second, and looks how much room there is.
    private func update() {
        nextUpdate = next + Int64(sampleRate.hertz)
        guard problem == nil else { return }
        journal.sync()
        let count = (file == nil ? 0 : 1) + strips.count
        if count == 0 { return }
        do throws(AudioFileError) {
            try file?.update()
            for strip in strips { try strip.update() }
        } catch {
            end(error.problem)
            return
        }
        guard let free = DiskSpace.free(at: paths.journal) else { return }
        let seconds = Double(free) / (sampleRate.hertz * 8 * Double(count))
        if warning.isDue(seconds) {
            notify("the disk has room for \(SessionNotice.time(seconds)) of recording, and then it ends")
        }
    }

    /// Ends the recording with what was written.
    private func end(_ reason: String) {
        guard problem == nil else { return }
        problem = reason
        reserve.release()
        func complete(_ body: () throws(AudioFileError) -> Void) {
            do throws(AudioFileError) {
                try body()
            } catch {
                needsRepair = true
                notify("\(error)")
            }
        }
        complete { () throws(AudioFileError) in try file?.close() }
        for strip in strips { complete { () throws(AudioFileError) in try strip.close(frames: nil) } }
        let seconds = sampleRate.seconds(frames: next - since)
        let path = file == nil ? paths.strips : paths.audio
        notify("the recording has ended after \(SessionNotice.time(seconds)), which is kept: \(path) \(reason)")
        broken.store(true, ordering: .releasing)
    }

    private func notify(_ text: String) { notices.withLock { $0.append(SessionNotice(text)) } }

    // MARK: The end

    /// Where it ends: what was written, where it has ended by itself.
    func end(by end: FrameTime) -> FrameTime { isBroken ? min(end, queue.sync { next }) : end }

    /// Completes the files.
    ///
    /// - Parameters:
    ///   - script: all that was done.
    ///   - until: the frame after the last one; what was not captured until there is silent.
    /// - Returns: their paths.
    /// - Throws: ``SessionError`` where something could not be written; what was written before is kept.
    func finish(_ script: PerformanceScript, until: FrameTime) throws(SessionError) -> [String] {
        let (failure, frames, isToRepair) = queue.sync { () -> (AudioFileError?, Int64?, Bool) in
            reserve.release()
            do throws(AudioFileError) {
                if problem == nil { for strip in strips { try strip.close(frames: until - since) } }
                try file?.close()
                return (nil, file?.frames, needsRepair)
            } catch {
                return (problem == nil ? error : nil, file?.frames, true)
            }
        }
        do throws(SessionError) {
            try script.shortened(to: frames).write(to: paths.script, at: sampleRate)
        } catch {
            // What the journal has is offered when the program starts again.
            throw error
        }
        // Whoever starts the program next is offered a take with a journal, whose files are repaired then.
        if !isToRepair { journal.remove() }
        if let failure { throw .audio(path: paths.audio, key: "record", failure) }
        return [paths.script] + (file == nil ? [] : [paths.audio]) + strips.filter(\.isThere).map(\.path)
    }
}

/// The paths of a take's files.
struct TakePaths {
    let script: String
    let audio: String
    let journal: String
    /// The folder of the strips.
    let strips: String

    init(_ name: String, in folder: URL) {
        func path(_ suffix: String) -> String { folder.appendingPathComponent(name + suffix).path }
        (script, audio, journal) = (path(".jsonl"), path(".wav"), path(TakeJournal.suffix))
        strips = path("")
    }

    /// The file of what was played during a layer that is in the file `path`.
    static func played(of path: String) -> String {
        let stem = path.hasSuffix(".wav") ? String(path.dropLast(4)) : path
        return "\(stem) input.wav"
    }

    /// The file of a strip.
    func strip(_ name: String) -> String { "\(strips)/\(name).wav" }

    /// The files of strips that are there.
    var stripFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: strips)) ?? []
        return names.filter { $0.hasSuffix(".wav") }.sorted().map { "\(strips)/\($0)" }
    }

    /// Whether there are any of them.
    var areUsed: Bool { [script, audio, journal, strips].contains(where: FileManager.default.fileExists) }
}

extension PerformanceScript {
    /// The script of a recording of which only so many frames could be written.
    func shortened(to frames: Int64?) -> PerformanceScript {
        guard let frames, let all = beginning?.frames, frames < all else { return self }
        var script = self
        script.beginning?.frames = frames
        script.entries.removeAll { $0.time.frame(at: .standard).map { $0 >= FrameTime(frames) } ?? false }
        return script
    }
}
