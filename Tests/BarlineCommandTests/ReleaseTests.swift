import BarlineTestSupport
import Foundation
import Testing

/// `scripts/check-release`, on a source tree of its own.
@Suite("Releases")
struct ReleaseTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        try folder.folder("scripts")
        try FileManager.default.copyItem(
            atPath: "\(package)/scripts/check-release", toPath: folder.path("scripts/check-release"))
    }

    /// What is wrong with a version and a changelog, by a tag or without one.
    private func problems(_ version: String, _ changelog: String, tag: String? = nil) throws -> [String] {
        try folder.write(
            "Sources/BarlineSession/Program.swift", "enum Program { static let version = \"\(version)\" }\n")
        try folder.write("CHANGELOG.md", "# Changelog\n\n\(changelog)")
        let outcome = try Program.run(folder.path("scripts/check-release"), tag.map { [$0] } ?? [])
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect((outcome.status == 0) == lines.isEmpty, "\(outcome.errors)")
        return lines
    }

    private func git(_ arguments: String...) throws {
        let author = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
        let outcome = try Program.run("git", ["-C", folder.path] + author + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("Between releases the version is a semantic one, and none in the changelog is later")
    func between() throws {
        let released =
            "## Unreleased\n\n### Added\n- More.\n\n## 1.2.0, 2026-03-01\n\n## 1.2.0-rc.2, 2026-02-01\n\n## 1.1.9, 2026-01-01\n"
        #expect(try problems("0.1.0", "## Unreleased\n\n- All.\n").isEmpty)
        #expect(try problems("1.2.0", released).isEmpty)
        #expect(try problems("1.3.0-alpha.1+5", released).isEmpty)
        for version in ["1.2", "1.02.0", "v1.2.0", "1.2.0-", "1.2.0-01"] {
            #expect(try problems(version, released).count == 1, "\(version)")
        }
        #expect(try problems("1.1.9", released).first?.contains("still 1.1.9") == true)
        #expect(try problems("1.2.0-rc.3", released).first?.contains("still 1.2.0-rc.3") == true)
    }

    @Test("Releases are in order, each with its date")
    func order() throws {
        #expect(try problems("2.0.0", "## 2.0.0, 2026-01-01\n").first?.contains("Unreleased") == true)
        for heading in ["1.0.0", "1.0.0, 2026-02-30", "1.0, 2026-01-01", "1.0.0 (2026-01-01)"] {
            #expect(try problems("2.0.0", "## Unreleased\n\n## \(heading)\n").count == 1, "\(heading)")
        }
        let wrong = "## Unreleased\n\n## 1.9.0, 2026-01-01\n\n## 1.10.0, 2026-02-01\n"
        #expect(try problems("2.0.0", wrong).first?.contains("order") == true)
    }

    @Test("A release's tag, version and changelog agree, with nothing left over")
    func release() throws {
        let ready = "## Unreleased\n\n## 1.0.0, 2026-01-01\n\n- All.\n"
        _ = try problems("1.0.0", ready)
        try git("init", "--quiet")
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "All")
        #expect(try problems("1.0.0", ready, tag: "v1.0.0").isEmpty)
        #expect(try problems("1.0.0", ready, tag: "v1.0.1").count == 1)
        #expect(try problems("1.0.0", ready, tag: "1.0.0").count == 1)
        let open = "## Unreleased\n\n- Left.\n\n## 1.0.0, 2026-01-01\n"
        let left = try problems("1.0.0", open, tag: "v1.0.0")
        #expect(left.count == 2 && left[0].contains("left under") && left[1].contains("not committed"))
        let early = try problems("1.1.0", ready, tag: "v1.1.0")
        #expect(early.count == 2 && early[0].contains("latest release is 1.0.0"))
    }
}
