import Foundation

// Reads what the program says of its command line (`barline --experimental-dump-help`) from standard input, and writes
// a man page for it and for each of its commands.
//
// usage: barline --experimental-dump-help | ManualWriter FOLDER

do {
    guard CommandLine.arguments.count == 2 else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "usage: ManualWriter FOLDER"])
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let program = try JSONDecoder().decode(CommandDump.self, from: input).command
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, page) in Manual(program).pages {
        try Data(page.utf8).write(to: folder.appendingPathComponent("\(name).1"))
    }
} catch {
    FileHandle.standardError.write(Data("ManualWriter: \(error)\n".utf8))
    exit(1)
}
