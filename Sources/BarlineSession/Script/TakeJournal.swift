import BarlineTime
import Foundation

/// The script of a recording under way, written as it happens: what a program that was killed leaves of it.
///
/// One JSON object a line, as in a script; `order` sorts what is on one frame, and a line that is `late` stands for the
/// one of the same `order` before it. The file is locked for as long as it is written, so that another program can tell
/// a recording under way from one that was broken off.
final class TakeJournal {
    /// What the names of journals end with.
    static let suffix = ".unfinished"

    /// A line.
    struct Line: Sendable {
        let entry: ScriptEntry
        /// The command that it was, or the last one before it.
        let order: Int
        /// What is on one frame is in this order.
        let place: Int
    }

    let path: String
    /// Bytes that were written.
    private(set) var bytes = 0
    private let descriptor: Int32
    private var sessions = RecordedSessionWriter()

    /// Begins one; there must be none of that name.
    init(path: String) throws(SessionError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .file(path: path, reason: "can't be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func begin(_ beginning: ScriptBeginning) throws(SessionError) { try append([sessions.line(beginning)]) }

    /// Begins that of a slot that is recorded into, which has a file and no script.
    func begin(take path: String, _ origin: TakeOrigin) throws(SessionError) {
        var values = origin.json
        values[TakeJournal.takeKey] = .string(path)
        try append([JSONText.line(.object(values))])
    }

    /// Notes that the tempo or the metre of a slot's take has changed.
    func noteOtherTempo() throws(SessionError) { try append([JSONText.line([TakeJournal.otherTempoKey: true])]) }

    /// What names the file of a slot's take.
    private static let takeKey = "take"
    private static let otherTempoKey = "otherTempo"

    /// Reads which slot's take a journal is of.
    ///
    /// - Parameters:
    ///   - path: the journal's.
    ///   - name: what the take is called: a journal that names another file is not believed.
    /// - Returns: the take's file, and where it was recorded; `nil` for a recording of the performance.
    static func take(_ path: String, named name: String) -> (file: String, origin: TakeOrigin)? {
        guard let data = try? SessionFile.read(path) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, case .success(.object(let values)) = JSONText.parse(Data(first)),
            case .string(let file)? = values[takeKey], name.hasPrefix("take-"), file.hasPrefix("/"),
            URL(fileURLWithPath: file).lastPathComponent == "\(name).wav"
        else { return nil }
        var origin = TakeOrigin(values)
        if lines.count > 1, !lines[1].isEmpty { origin.grid = nil }
        return (file, origin)
    }

    func append(_ lines: [Line]) throws(SessionError) {
        try append(
            lines.map { line in
                var values: [String: JSONValue] = ["order": .number(Double(line.order))]
                if line.place != line.order { values["rank"] = .number(Double(line.place)) }
                return sessions.line(line.entry, adding: values)
            })
    }

    private func append(_ lines: [String]) throws(SessionError) {
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        var done = 0
        while done < text.count {
            let count = text[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = errno
                // Half a line would spoil the next one.
                ftruncate(descriptor, off_t(bytes))
                throw .file(path: path, reason: "can't be written: \(String(cString: strerror(failure)))")
            }
            done += count
        }
        bytes += text.count
    }

    /// Brings all to the disk.
    func sync() { fsync(descriptor) }

    /// It is not needed any more.
    func remove() { unlink(path) }
}

extension PerformanceScript {
    /// Reads a journal, up to the line that was half written when its program ended.
    init(journal text: String, path: String) throws(SessionError) {
        self.path = path
        var orders: [(place: Int, value: JSONValue)] = []
        // Of what was planned, there is a line again when it turns out to be late, or the session keeps it.
        var plans: [Int: [Int]] = [:]
        var sessions = RecordedSessionReader()
        for line in text.split(separator: "\n") {
            guard case .success(let value) = JSONText.parse(Data(line.utf8)) else { break }
            guard let whole = sessions.whole(value) else { throw unknownChange(value, line: orders.count + 1) }
            guard case .object(var values) = whole else { break }
            guard let order = values.removeValue(forKey: "order") else {
                orders.append((.min, .object(values)))
                continue
            }
            guard case .number(let number) = order, let whole = Int(exactly: number) else {
                throw .file(path: path, reason: "line \(orders.count + 1): \"order\" is no whole number")
            }
            var place = (place: whole, value: JSONValue.null)
            if case .number(let rank)? = values.removeValue(forKey: "rank"), let rank = Int(exactly: rank) {
                place.place = rank
            }
            place.value = .object(values)
            let isPlan = values["planned"] == true
            let isNews = !isPlan || values["late"] != nil
            if isNews, let plan = plans[whole]?.last(where: { orders[$0].value.isDone(by: values) }) {
                orders[plan] = place
            } else {
                if isPlan { plans[whole, default: []].append(orders.count) }
                orders.append(place)
            }
        }
        for (index, line) in orders.enumerated() { try add(line.value, line: index + 1) }
        // The beginning has no entry, and the first order.
        let entryOrders = orders.map(\.place).filter { $0 != .min }
        guard entryOrders.count == entries.count else {
            throw .file(path: path, reason: "is not the journal of a recording")
        }
        entries = zip(entries, entryOrders).enumerated().sorted { first, second in
            let (one, other) = (first.element, second.element)
            return (one.0.frame.rawValue, one.1, first.offset) < (other.0.frame.rawValue, other.1, second.offset)
        }.map(\.element.0)
    }
}

extension ScriptEntry {
    fileprivate var frame: FrameTime { time.frame(at: .standard) ?? .zero }
}

extension JSONValue {
    /// Whether it has the words of another line, whenever they were done.
    fileprivate func isDone(by line: [String: JSONValue]) -> Bool {
        guard case .object(let values) = self else { return false }
        let when: Set = ["frame", "late", "planned"]
        return values.filter { !when.contains($0.key) } == line.filter { !when.contains($0.key) }
    }
}
