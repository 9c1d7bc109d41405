import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@Suite("Reasons of the system's")
struct SystemReasonTests {
    private func reason(_ doing: () throws -> Void) -> String? {
        do {
            try doing()
            return nil
        } catch {
            return systemReason(of: error)
        }
    }

    @Test("What the system refused is said in its words, however far down they are")
    func words() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        #expect(
            reason { _ = try files.contentsOfDirectory(atPath: folder.path("none")) } == "No such file or directory")
        try folder.write("file", [1])
        #expect(
            reason { try files.createDirectory(atPath: folder.path("file/x"), withIntermediateDirectories: true) }
                == "Not a directory")
        let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
        #expect(reason { try full.write(contentsOf: Data([1])) } == "No space left on device")
        #expect(
            reason { try files.moveItem(atPath: folder.path("file"), toPath: folder.path("none/file")) }
                == "No such file or directory")
    }

    @Test("What has no reason of the system's says its own")
    func own() {
        #expect(systemReason(of: CocoaError(.coderInvalidValue)) == CocoaError(.coderInvalidValue).localizedDescription)
    }
}
