import BarlineTestSupport
import Foundation
import Testing

/// `barline demo`.
@Suite("The demo set from the command line")
struct DemoTests {
    @Test("It is written, and renders with its own tour")
    func demo() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(["demo", folder.path("new/set")])
        #expect(outcome.status == 0)
        let session = folder.path("new/set/demo.barline")
        #expect(outcome.output.hasPrefix(session))
        let render = try Barline.run(
            [
                "render", session, "--script", folder.path("new/set/tour.jsonl"), "--duration", "6", "--output",
                folder.path("tour.wav"),
            ])
        #expect(render.status == 0 && render.errors.isEmpty)
        let tour = try WaveContents(path: folder.path("tour.wav"))
        #expect(tour.channels[0].contains { abs($0) > 0.05 })
    }

    @Test("A session or a tour that was changed is not written over unasked")
    func changed() throws {
        let folder = try TemporaryFolder()
        for name in ["demo.barline", "tour.jsonl"] {
            #expect(try Barline.run(["demo", folder.path("set")]).status == 0)
            let mine = try folder.text("set/\(name)") + " "
            try folder.write("set/\(name)", mine)
            let refused = try Barline.run(["demo", folder.path("set")])
            #expect(refused.status == 1 && refused.errors.contains("set/\(name): differs"), "\(refused.errors)")
            #expect(try folder.text("set/\(name)") == mine)
            #expect(try Barline.run(["demo", folder.path("set"), "--overwrite"]).status == 0)
            #expect(try folder.text("set/\(name)") != mine)
        }
    }

    @Test("Nor is a loop that was changed; what is as it was written is written anew")
    func changedLoop() throws {
        let folder = try TemporaryFolder()
        #expect(try Barline.run(["demo", folder.path("set")]).status == 0)
        #expect(try Barline.run(["demo", folder.path("set")]).status == 0)
        let loop = "set/loops/drums-four-steps.wav"
        try folder.write(loop, "mine")
        let refused = try Barline.run(["demo", folder.path("set")])
        #expect(refused.status == 1 && refused.errors.contains("\(loop): differs"), "\(refused.errors)")
        #expect(try folder.text(loop) == "mine")
        #expect(try Barline.run(["demo", folder.path("set"), "--overwrite"]).status == 0)
        #expect(try folder.bytes(loop).count > 100_000)
    }

    @Test("The report is JSON where that is asked for")
    func json() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(["demo", folder.path("set"), "--json"])
        #expect(try JSONLines.objects(outcome.output).first?.text("session") == folder.path("set/demo.barline"))
    }

    @Test("Without a session, the demo set is played, from the user's cache")
    func run() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(
            ["--backend", "null", "--duration", "0.2"], environment: ["XDG_CACHE_HOME": folder.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("Demo set on null"))
        let cached = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(cached.contains { $0.hasSuffix("demo.barline") })
    }

    @Test("Where the cache can't be written to, the demo set plays from a folder that is the user's alone")
    func elsewhere() throws {
        let folder = try TemporaryFolder()
        try folder.write("cache", "a file")
        let place = "\(try folder.folder("tmp"))/barline-\(getuid())"
        func run() throws -> Program.Outcome {
            try Barline.run(
                ["--backend", "null", "--no-page", "--duration", "0.2"],
                environment: ["XDG_CACHE_HOME": folder.path("cache"), "TMPDIR": folder.path("tmp")])
        }
        let played = try run()
        #expect(played.status == 0 && played.output.hasPrefix("Demo set on null"), "\(played.errors)")
        #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
        // Nor where others can look into that, or it is a link.
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: try folder.folder("theirs"))
        let refused = try run()
        #expect(refused.status == 1 && refused.errors.contains("/cache/"), "\(refused.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("theirs")).isEmpty)
    }
}
