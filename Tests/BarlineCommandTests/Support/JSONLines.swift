import Foundation

/// JSON Lines, read by Foundation.
enum JSONLines {
    /// The object of every line.
    static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(whereSeparator: \.isNewline).map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }
}

extension [String: Any] {
    func integer(_ key: String) -> Int? { (self[key] as? NSNumber)?.intValue }
    func number(_ key: String) -> Double? { (self[key] as? NSNumber)?.doubleValue }
    func text(_ key: String) -> String? { self[key] as? String }
}
