import ArgumentParser
import BarlineSession

/// `barline collect`: a session with all its files, for another machine.
struct CollectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect", abstract: "Copies a session with all its files into a folder.",
        discussion: "For another machine or a backup: the folder has all that is played, wherever it was.")

    @Argument(
        help: "The session file, or the name under which it was saved.", completion: .file(extensions: ["barline"]))
    var session: String

    @Argument(help: "The folder to copy to, new or empty.", completion: .directory)
    var folder: String

    @OptionGroup var report: ReportOptions

    func run() throws {
        let session = try SessionArgument(session)
        let collected = try CollectedSession(of: session.document, at: session.path, in: folder)
        if report.json {
            JSONOutput.print([
                "session": .string(collected.path), "files": .number(Double(collected.fileCount)),
                "bytes": .number(Double(collected.byteCount)),
                "missing": .array(collected.missing.map { .string($0) }),
            ])
        } else {
            let files = collected.fileCount == 1 ? "1 file" : "\(collected.fileCount) files"
            Terminal.printLine("\(collected.path), with \(files) of \(collected.byteCount) bytes")
        }
        for file in collected.missing { Terminal.report("\(file): is missing") }
        if !collected.missing.isEmpty { throw ExitCode.failure }
    }
}
