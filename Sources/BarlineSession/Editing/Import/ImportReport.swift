import BarlineFiles

/// A report on the files of an import.
struct ImportReport {
    /// A clip and where it was put.
    struct Placed {
        let clip: String
        let name: String
        let track: String
        let slot: Int
        /// The gain in dB that makes it as loud as the set; `nil` where it was left as it is.
        let matched: Double?
    }

    /// What was made of files but for clips, by the word of what it is.
    private var lists: [String: [JSONValue]] = [:]
    private var placed: [Placed] = []
    private var problems: [JSONValue] = []
    private var firstProblem: SessionError?

    /// A file's name as the document has it; `nil` where it can't be read, which is noted.
    mutating func take(_ file: ImportedFile, _ context: EditContext) -> String? {
        do throws(SessionError) {
            let name = try context.media.file(file.file, source: context.source, key: "files")
            guard case .failure(let error)? = context.survey.sounds[context.path(of: name)] else { return name }
            note(file, .audio(path: context.source, key: "files", error), error.problem)
        } catch {
            note(file, error, "is no file of the session's folder or the library")
        }
        return nil
    }

    private mutating func note(_ file: ImportedFile, _ error: SessionError, _ problem: String) {
        firstProblem = firstProblem ?? error
        problems.append(["file": .string(file.file), "error": .string(problem)])
    }

    mutating func add(_ clip: Placed) { placed.append(clip) }

    /// Notes what a file was made.
    ///
    /// - Parameters:
    ///   - id: its identifier.
    ///   - list: what such are called.
    mutating func add(_ id: String, to list: String) { lists[list, default: []].append(.string(id)) }

    /// The answer to whoever asked for the import.
    ///
    /// - Throws: why the first file can't be read, where none can.
    func result() throws(SessionError) -> [String: JSONValue] {
        if let firstProblem, placed.isEmpty, lists.isEmpty { throw firstProblem }
        var values = lists.mapValues(JSONValue.array)
        if values.isEmpty {
            values["clips"] = .array(placed.map { .string($0.clip) })
            values["placed"] = .array(placed.map(\.json))
        }
        if !problems.isEmpty { values["problems"] = .array(problems) }
        return values
    }
}

extension ImportReport.Placed {
    fileprivate var json: JSONValue {
        var values: [String: JSONValue] = [
            "clip": .string(clip), "name": .string(name), "track": .string(track), "slot": .number(Double(slot)),
        ]
        if let matched { values["matched"] = .number(matched) }
        return .object(values)
    }
}
