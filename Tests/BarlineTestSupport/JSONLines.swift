import Foundation

/// JSON Lines, read by Foundation.
package enum JSONLines {
    /// The object of every line.
    package static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(whereSeparator: \.isNewline).map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// The lines whose `event` is `kind`.
    package static func events(_ text: String, of kind: String) throws -> [[String: Any]] {
        try objects(text).filter { $0["event"] as? String == kind }
    }
}

extension [String: Any] {
    package func integer(_ key: String) -> Int? { (self[key] as? NSNumber)?.intValue }
    package func number(_ key: String) -> Double? { (self[key] as? NSNumber)?.doubleValue }
    package func text(_ key: String) -> String? { self[key] as? String }
}
