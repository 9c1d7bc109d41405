import ArgumentParser
import Foundation

/// A command that the format's description names and this version does not have: refused in words.
protocol LaterCommand: ParsableCommand {
    var arguments: [String] { get }
}

extension LaterCommand {
    func run() throws {
        Terminal.complain("\(Self._commandName): this version can't do that yet")
        throw ExitCode(1)
    }
}

struct PlayCommand: LaterCommand {
    static let configuration = CommandConfiguration(commandName: "play", shouldDisplay: false)
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}
