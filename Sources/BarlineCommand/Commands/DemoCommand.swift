import ArgumentParser
import BarlineDemo
import BarlineSession
import Foundation

/// `barline demo`: the built-in set, as files to play with.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Writes the demo session with its synthesised loops.")

    @Argument(help: "The folder to write to; it is made where there is none.", completion: .directory)
    var folder: String

    @Flag(help: "Write over a demo session that was changed.")
    var overwrite = false

    @OptionGroup var report: ReportOptions

    func run() throws {
        if !overwrite, let changed = try DemoSession.changedFile(in: folder) {
            throw SessionError.file(
                path: changed,
                reason: "differs from what would be written; name another folder, or write over it with --overwrite")
        }
        let session = try DemoSession.write(to: folder)
        if report.json {
            JSONOutput.print(["session": .string(session)])
        } else {
            Terminal.printLine(session)
            Terminal.printLine("Play it: barline run \(session)")
        }
    }
}
