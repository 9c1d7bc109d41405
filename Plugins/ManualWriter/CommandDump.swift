/// The part of the parser's description that a manual tells.
struct CommandDump: Decodable {
    let command: Command

    /// A command with what it is given.
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    /// An option, a flag or an argument.
    struct Argument: Decodable {
        let kind: Kind
        let shouldDisplay: Bool
        let sectionTitle: String?
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?
    }

    /// What an argument is recognised by.
    enum Kind: String, Decodable {
        case positional, option, flag
    }

    /// `--name`, `-n` or `-name`.
    struct Name: Decodable {
        let kind: String
        let name: String
    }
}
