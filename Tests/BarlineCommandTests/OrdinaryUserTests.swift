import BarlineTestSupport
import Foundation
import Testing

/// A machine's ordinary user, who is not allowed what root is.
@Suite("An ordinary user")
struct OrdinaryUserTests {
    /// The program, where that user can read it, and how it is run as that user.
    private struct User {
        let set: SmallSet
        private let program: String

        init() throws {
            set = try SmallSet()
            program = set.folder.path("barline")
            try FileManager.default.copyItem(atPath: Barline.path, toPath: program)
            for folder in ["data", "state"] {
                try FileManager.default.createDirectory(
                    atPath: set.folder.path(folder), withIntermediateDirectories: true)
            }
            try Program.run("chmod", ["-R", "a+rwX", set.folder.path])
        }

        func start(_ arguments: [String]) throws -> Program {
            let environment = Barline.environment.merging([
                "HOME": set.folder.path, "XDG_DATA_HOME": set.folder.path("data"),
                "XDG_STATE_HOME": set.folder.path("state"),
            ]) { $1 }
            if geteuid() != 0 { return try Program(program, arguments, environment: environment) }
            return try Program(
                "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", program] + arguments,
                environment: environment)
        }
    }

    @Test("Is served the page, plays from it, and saves what was changed")
    func page() throws {
        let user = try User()
        func run(_ requests: [String]) throws -> [String] {
            let program = try user.start(
                ["run", user.set.session, "--backend", "null", "--no-browser", "--json", "--port", "0"])
            defer { program.end() }
            #expect(eventually { program.output.contains(#""event":"page""#) }, "\(program.errors)")
            let address = try #require(program.output.firstMatch(of: /127\.0\.0\.1:\d+/)).output
            let outcome = try Program.run("python3", ["-c", Self.client, "http://\(address)"] + requests)
            #expect(outcome.status == 0, "\(outcome.errors)\(program.errors)")
            program.signal(SIGTERM)
            #expect(try program.wait().status == 128 + SIGTERM, "\(program.errors)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        let first = try run(
            [
                "/", "/api/session", #"/api/actions {"do": "gain", "track": "bass", "db": -7.5}"#, "/api/session",
                #"/api/actions {"do": "save"}"#,
            ])
        try #require(first.count == 5)
        #expect(first[0].contains("<html"))
        #expect(!first[1].contains("-7.5") && first[3].contains("-7.5"))
        #expect(try run(["/api/session"]).first?.contains("-7.5") == true)
    }

    /// Asks for each of its arguments, with what follows a space as the body, and prints each answer on a line.
    private static let client = """
        import sys, urllib.request
        for request in sys.argv[2:]:
            path, _, body = request.partition(" ")
            data = body.encode() if body else None
            asked = urllib.request.Request(sys.argv[1] + path, data, {"Content-Type": "application/json"})
            print(urllib.request.urlopen(asked, timeout=60).read().decode().replace("\\n", " "))
        """
}
