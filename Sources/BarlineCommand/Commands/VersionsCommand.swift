import ArgumentParser
import BarlineSession
import Foundation

/// `barline versions`: what a session's file was before it was saved.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "Lists the last versions of a session's file, and brings one back.",
        usage: "barline versions <session> [<options>]",
        discussion: "Each time a session is saved, what its file was before is kept: ten of them.")

    @Argument(
        help: "The session file, or the name under which it was saved.", completion: .file(extensions: ["barline"]))
    var session: String

    @Option(help: ArgumentHelp("Make the file this version; what it is now becomes one.", valueName: "version"))
    var restore: String?

    @OptionGroup var options: ListOptions

    func run() throws {
        let library = SessionLibrary.standard
        let path = library.path(ofNamed: session)
        let versions = SessionVersions(of: path, in: library)
        if let restore {
            // A program that has it open would save over what was brought back.
            guard let claim = SessionLock(path, in: library) else {
                throw SessionError.file(path: path, reason: "is open in another program: choose the version there")
            }
            try versions.restore(versions.version(restore, source: path), to: path)
            withExtendedLifetime(claim) {}
        }
        let all = versions.all
        // Of a file that is lost there may be versions.
        if all.isEmpty, access(path, F_OK) != 0 {
            throw SessionError.file(path: path, reason: "can't be opened: \(String(cString: strerror(errno)))")
        }
        for version in all { show(version) }
    }

    private func show(_ version: SessionVersion) {
        if options.json {
            JSONOutput.print([
                "version": .string(version.name), "modified": .number(version.modified),
                "bytes": .number(Double(version.bytes)),
            ])
        } else {
            let name = (try? version.read())?.name ?? "can't be read"
            let date = Date(timeIntervalSince1970: version.modified).formatted(date: .abbreviated, time: .standard)
            Terminal.printLine("\(version.name)  \(date), \(version.bytes) bytes, \(name)")
        }
    }
}
