import BarlineFiles
import Foundation
import Synchronization

/// Keeps a copy of a session up to date by what has changed: a line of JSON each time, brought to the disk.
///
/// The copy is a session as any other. Beside it are the changes since it was written; their first line (``Header``)
/// names the content of the copy that they belong to, so that those of an earlier copy are not taken for its own. When
/// they have grown as long as the copy, a new one takes the place of both.
final class AutosaveJournal: Sendable {
    /// Where the copy is.
    let place: Autosave

    /// The first line of the changes.
    struct Header {
        /// The hash of the copy.
        let copy: String
        /// The session's file, and a name for what is saved there: where its folder gets another name, it is known
        /// again by them. Journals of earlier versions have neither.
        let session: String?
        let saved: String?

        /// What belongs to a copy, and to the session as it is saved now.
        init(copy: some Sequence<UInt8>, of session: String) {
            self.copy = AutosaveJournal.name(of: copy)
            self.session = SessionLibrary.fullPath(of: session)
            saved = AutosaveJournal.name(ofFile: session)
        }

        /// The header of changes; `nil` where the line is none.
        init?(_ line: some Sequence<UInt8>) {
            guard case .success(.object(let values)) = JSONText.parse(Data(line)),
                case .string(let copy)? = values["of"]
            else { return nil }
            self.copy = copy
            if case .string(let path)? = values["session"] { session = path } else { session = nil }
            if case .string(let name)? = values["saved"] { saved = name } else { saved = nil }
        }

        fileprivate var line: [UInt8] { line(session, saved) }

        /// The same line for a session whose file is another one now.
        func line(for session: String) -> [UInt8] {
            line(SessionLibrary.fullPath(of: session), AutosaveJournal.name(ofFile: session))
        }

        private func line(_ session: String?, _ saved: String?) -> [UInt8] {
            var values = ["of": JSONValue.string(copy)]
            values["session"] = session.map { .string($0) }
            values["saved"] = saved.map { .string($0) }
            return Array((JSONText.line(.object(values)) + "\n").utf8)
        }
    }

    private struct State {
        var document: SessionDocument
        /// Bytes that are whole.
        var bytes: Int
    }

    private let descriptor: Int32
    private let limit: Int
    private let state: Mutex<State>

    /// Changes may have so many bytes even where the copy has less.
    private static let leastLimit = 256 << 10

    /// Writes a copy, and begins to keep it up to date.
    ///
    /// - Returns: the journal; `nil` where the copy is written and changes can't be.
    /// - Throws: ``SessionError`` where the copy can't be written.
    static func begin(_ document: SessionDocument, at place: Autosave) throws(SessionError) -> AutosaveJournal? {
        let text = document.text
        try SessionLibrary.makeFolder(of: place.path)
        try DurableFile.write(text, to: place.path)
        return AutosaveJournal(place, document, copy: text)
    }

    private init?(_ place: Autosave, _ document: SessionDocument, copy: [UInt8]) {
        self.place = place
        limit = max(AutosaveJournal.leastLimit, copy.count)
        let header = Header(copy: copy, of: place.session).line
        state = Mutex(State(document: document, bytes: header.count))
        // The old changes are not the new copy's: nothing is lost with them.
        descriptor = open(place.changes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0, AutosaveJournal.put(header, descriptor, at: 0) else {
            unlink(place.changes)
            return nil
        }
        DurableFile.syncFolder(of: place.changes)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds what has changed.
    ///
    /// - Returns: whether it is on the disk; otherwise a new copy is to be written.
    func append(_ document: SessionDocument) -> Bool {
        state.withLock { state in
            guard state.bytes < limit, isInPlace else { return false }
            guard let change = DocumentChange.json(from: state.document, to: document) else { return true }
            let line = Array((JSONText.line(change) + "\n").utf8)
            guard AutosaveJournal.put(line, descriptor, at: state.bytes) else {
                // Half a line ends what is read of it; the next one takes its place.
                ftruncate(descriptor, off_t(state.bytes))
                return false
            }
            state.bytes += line.count
            state.document = document
            return true
        }
    }

    /// Whether nobody has taken the copy or its changes away.
    private var isInPlace: Bool {
        var (mine, named) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(place.changes, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev && access(place.path, F_OK) == 0
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            done += count
        }
        return fdatasync(descriptor) == 0
    }

    /// A name for what a file has and when it was written, which another name of it or of its folder leaves as it is;
    /// `nil` where it can't be read.
    static func name(ofFile path: String) -> String? {
        var file = stat()
        guard stat(path, &file) == 0, let content = try? SessionFile.read(path) else { return nil }
        return "\(name(of: content))-\(file.st_mtim.tv_sec)-\(file.st_mtim.tv_nsec)"
    }

    private static func name(of copy: some Sequence<UInt8>) -> String {
        var hash = FNV1a()
        hash.add(copy)
        return String(hash.value, radix: 16)
    }

    /// What a copy has become by its changes, up to the one that was half written when its program ended.
    static func read(_ place: Autosave) throws(SessionError) -> SessionDocument {
        let copy = try SessionFile.read(place.path)
        guard case .success(.object(var values)) = JSONText.parse(copy),
            let changes = FileManager.default.contents(atPath: place.changes)
        else { return try SessionDocument(path: place.path) }
        // The last line is whole where it has its end.
        let lines = changes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        guard let header = lines.first.flatMap({ Header($0) }), header.copy == name(of: copy) else {
            return try SessionDocument(path: place.path)
        }
        for line in lines.dropFirst() {
            guard case .success(let change) = JSONText.parse(Data(line)), DocumentChange.apply(change, to: &values)
            else { break }
        }
        return try SessionDocument(.object(values), file: place.path)
    }
}
