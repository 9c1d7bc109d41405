import Foundation

/// What the files of takes are called.
extension TakeKeeper {
    /// What the name of a take's file begins with, before the time.
    static func beginning(_ title: String) -> String {
        "take-" + title.prefix(80).map { $0 == "/" || $0 == "\0" ? "_" : $0 } + " "
    }

    /// Whether a file is called as one that a take of that title was written to, whenever that was.
    static func isTake(_ file: String, titled title: String) -> Bool {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let start = beginning(title)
        guard name.hasPrefix(start) else { return false }
        return name.dropFirst(start.count).wholeMatch(of: /\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d( \(\d+\))?/) != nil
    }
}
