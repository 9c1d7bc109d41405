import ArgumentParser
import Foundation

/// The option of the commands that list things.
struct ListOptions: ParsableArguments {
    @Flag(help: "Print as JSON Lines.")
    var json = false
}

/// The option of the commands that report what they have done.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Report as JSON.")
    var json = false
}

/// The option of the commands that write what happens to a file.
struct EventFileOptions: ParsableArguments {
    @Option(
        name: .customLong("events"), help: ArgumentHelp("Write events, as JSON Lines.", valueName: "file"),
        completion: .file())
    var path: String?

    /// Refuses what would be written to the file that another option names.
    func validate(besides output: String?, of option: String = "--output") throws {
        func whole(_ path: String) -> String {
            URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        }
        if let path, let output, whole(path) == whole(output) {
            throw ValidationError("--events and \(option) name one file")
        }
    }
}

/// The options of the commands that play and say what happens.
struct EventOptions: ParsableArguments {
    @OptionGroup var file: EventFileOptions

    @Flag(help: "Print events as JSON Lines.")
    var json = false
}
