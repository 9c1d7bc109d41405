import BarlineFuzz
import CFuzzDriver
import Foundation

// Tries everything at one boundary: FuzzDriver BOUNDARY [libFuzzer's arguments]. With --list it says which boundaries
// there are, each with the longest input; with --words BOUNDARY it writes the words of one as a dictionary of
// libFuzzer's.

/// The boundary that is tried, where libFuzzer's call finds it.
nonisolated(unsafe) var tried: FuzzBoundary?

func quoted(_ word: String) -> String {
    "\"" + word.utf8.map { String(format: "\\x%02X", $0) }.joined() + "\""
}

let boundaries = try await FuzzBoundary.all()
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "--list":
    for boundary in boundaries { print(boundary.name, boundary.limit) }
    exit(0)
case "--words":
    for boundary in boundaries where boundary.name == arguments.last {
        for word in boundary.words { print(quoted(word)) }
    }
    exit(0)
case let name:
    tried = boundaries.first { $0.name == name }
    if tried == nil {
        FileHandle.standardError.write(Data("FuzzDriver: there is no boundary \(name ?? "")\n".utf8))
        exit(64)
    }
}

var rest: [UnsafeMutablePointer<CChar>?] = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) }
var count = Int32(rest.count)
rest.append(nil)
let status = rest.withUnsafeMutableBufferPointer { buffer in
    var vector = buffer.baseAddress
    return LLVMFuzzerRunDriver(&count, &vector) { bytes, count in
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        do {
            try tried?(input)
        } catch {
            FileHandle.standardError.write(Data("Broken promise: \(error)\n".utf8))
            // libFuzzer keeps the input that ends the process so.
            abort()
        }
        return 0
    }
}
exit(status)
