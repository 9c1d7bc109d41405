import BarlineFiles
import Foundation
import Synchronization

/// The steps of a history that are not kept in memory: in a file without a name, which goes with the program.
///
/// Each is a line of JSON. Of a session there is what is not in the one before it, so that an edit of a large session
/// takes as little as one of a small one. What can't be written, because the disk is full or slow, stays in memory and
/// is tried again with what comes next: nobody waits for the disk but who reads.
final class HistoryFile: Sendable {
    private struct State {
        /// What is not in the file yet.
        var waiting: [HistoryStep] = []
        var isWriting = false
        /// The file is whole up to here, and has so many steps.
        var bytes = 0
        var count = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "barline-history", qos: .utility)
    /// Of a session, what has changed since the line before; of the queue.
    private let sessions = Mutex(RecordedSessionWriter(wholeUpTo: 0))

    /// Makes an empty one in the user's folders; `nil` where none can be made.
    init?(in folder: URL = UserFolders.state) {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var template = Array(folder.appendingPathComponent(".history-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { close(descriptor) }

    /// Bytes of the file.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Takes steps, which are written beside the caller.
    func append(_ steps: some Sequence<HistoryStep>) {
        let isFirst = state.withLock { state in
            state.waiting += steps
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { [self] in write() } }
    }

    /// Waits until all is written that can be.
    func waitUntilWritten() { queue.sync {} }

    private func write() {
        while true {
            let (steps, offset) = state.withLock { state in
                if state.waiting.isEmpty { state.isWriting = false }
                return (state.waiting.prefix(HistoryFile.chunk), state.bytes)
            }
            if steps.isEmpty { return }
            var lines = sessions.withLock { $0 }
            let text = Array(steps.map { lines.line($0.entry, adding: $0.written) + "\n" }.joined().utf8)
            guard put(text, at: offset) else { return state.withLock { $0.isWriting = false } }
            sessions.withLock { [lines] in $0 = lines }
            state.withLock { state in
                state.waiting.removeFirst(steps.count)
                state.count += steps.count
                state.bytes += text.count
            }
        }
    }

    private static let chunk = 64

    private func put(_ text: [UInt8], at offset: Int) -> Bool {
        var done = 0
        while done < text.count {
            let count = text[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            done += count
        }
        return true
    }

    /// The first `count` steps.
    func steps(_ count: Int) -> [HistoryStep] {
        let (bytes, written, waiting) = state.withLock { ($0.bytes, $0.count, $0.waiting) }
        var text = [UInt8](repeating: 0, count: bytes)
        var done = 0
        while done < bytes {
            let got = text[done...].withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(done)) }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        var sessions = RecordedSessionReader()
        let lines = text[..<done].split(separator: UInt8(ascii: "\n")).prefix(min(count, written))
        var last: SessionDocument?
        let steps = lines.compactMap { line -> HistoryStep? in
            guard case .success(let value) = JSONText.parse(Data(line)), let whole = sessions.whole(value),
                var step = HistoryStep(whole)
            else { return nil }
            step.shareSession(with: &last)
            return step
        }
        return steps + waiting.prefix(max(0, count - written))
    }
}
