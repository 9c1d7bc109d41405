import BarlineHost
import BarlineSession

/// The reference that is written from the declarations of verbs and of the document's keys: parts of the OpenAPI
/// document, the page's module about effects, and tables of the documentation. `make reference` writes it; tests
/// compare it with the files.
package enum Reference {
    /// All verbs: those of the session, and those of the machine and of the server.
    package static let verbs =
        Verbs.facts + OutputRequests.verbs.map(\.facts) + ServerRequests.verbs.map(\.facts)

    /// The files that have something that is made here, by their paths in the package, and how each is made of itself.
    package static let files: [(path: String, made: @Sendable (String) throws -> String)] = [
        ("Sources/BarlineServer/Embedded/openapi.json", { try openAPI($0) }),
        ("Sources/BarlineServer/Page/modules/model/effects.js", { _ in EffectModule.text }),
        ("docs/protocol.md", { page($0) }), ("docs/session.md", { page($0) }),
    ]

    /// The same OpenAPI document with the schemas that are made here.
    ///
    /// - Throws: where the text is no JSON.
    static func openAPI(_ text: String) throws -> String {
        guard case .object(var document) = try JSONValue(parsing: text),
            case .object(var components)? = document["components"], case .object(let before)? = components["schemas"]
        else { return text }
        let isMade = /(Action|Session|Keys)(\..*)?/
        var schemas = before.filter { $0.key.wholeMatch(of: isMade) == nil }
        schemas.merge(VerbSchema.schemas(verbs)) { $1 }
        schemas.merge(KeySchema.schemas) { $1 }
        components["schemas"] = .object(schemas)
        document["components"] = .object(components)
        return JSONLayout.text(.object(document))
    }

    /// The same page of the documentation with the tables that are made here: what is between `<!-- table: NAME -->`
    /// and `<!-- end of table -->`.
    static func page(_ text: String) -> String {
        var lines: [String] = []
        var isReplaced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == end { isReplaced = false }
            if !isReplaced { lines.append(line) }
            guard let name = line.wholeMatch(of: /<!-- table: ([A-Za-z]+) -->/)?.1 else { continue }
            if let table = table(String(name)) {
                lines += [""] + table + [""]
                isReplaced = true
            }
        }
        return lines.joined(separator: "\n")
    }

    private static let end = "<!-- end of table -->"

    private static func table(_ name: String) -> [String]? {
        if name == "keys" { return KeyTable.lines }
        if name == "osc" { return VerbTable.osc(verbs) }
        return VerbFacts.Kind(rawValue: name).map { kind in VerbTable.lines(verbs.filter { $0.kind == kind }) }
    }
}
