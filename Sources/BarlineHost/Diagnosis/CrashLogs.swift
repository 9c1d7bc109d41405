import BarlineSession
import Foundation

/// The last notes of programs that crashed or were killed.
package enum CrashLogs {
    /// How many are kept.
    static let count = 10

    /// The folder of logs.
    static func folder(of library: SessionLibrary) -> URL {
        library.state.appendingPathComponent("log", isDirectory: true)
    }

    /// The crash logs that there are, the latest first.
    static func all(in library: SessionLibrary) -> [String] {
        let folder = folder(of: library)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("crash-") }.sorted(by: >).map { folder.appendingPathComponent($0).path }
    }

    /// Makes crash logs of what programs that have not come to their end have left.
    ///
    /// - Returns: the paths of those that were made, the oldest first.
    package static func collect(in library: SessionLibrary) -> [String] {
        let folder = folder(of: library)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var made: [String] = []
        for name in names.sorted() where name.hasPrefix("running-") {
            let path = folder.appendingPathComponent(name).path
            guard let remains = FlightLog.remains(at: path) else { continue }
            let modified = (try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate]) as? Date
            let date = (modified ?? Date()).ISO8601Format().replacing(":", with: ".")
            let process = process(ofRunning: name) ?? 0
            let log = folder.appendingPathComponent("crash-\(date)-\(process).log").path
            let text = ([reason(remains.signal)] + remains.lines).joined(separator: "\n") + "\n"
            guard (try? Data(text.utf8).write(to: URL(fileURLWithPath: log), options: .atomic)) != nil else { continue }
            unlink(path)
            made.append(log)
        }
        for old in all(in: library).dropFirst(count) { unlink(old) }
        return made
    }

    /// The number of the program whose log has a name; `nil` where it is none of one that runs, or did.
    static func process(ofRunning name: String) -> Int? {
        name.hasPrefix("running-") ? Int(name.dropFirst("running-".count).prefix { $0.isNumber }) : nil
    }

    private static func reason(_ signal: Int32) -> String {
        guard signal > 0 else {
            return "barline \(Program.version) did not come to its end: it was killed, or the machine was"
        }
        return "barline \(Program.version) was ended by signal \(signal), \(String(cString: strsignal(signal)))"
    }
}
