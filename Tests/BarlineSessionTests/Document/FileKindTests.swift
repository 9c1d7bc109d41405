import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A path may lead to anything.
@Suite("What a session or script path may lead to", .fewAtATime)
struct FileKindTests {
    @Test("A file that is missing is an error that names it")
    func missing() throws {
        let path = try TemporaryFolder().path("none.barline")
        let session = try #require(throws: SessionError.self) { try SessionDocument(path: path) }
        #expect("\(session)" == "\(path): can't be opened: No such file or directory")
        let script = try #require(throws: SessionError.self) { try PerformanceScript(path: path) }
        #expect("\(script)" == "\(path): can't be opened: No such file or directory")
    }

    @Test("Folders, pipes and devices are refused at once", .timeLimit(.minutes(10)))
    func notAFile() throws {
        let folder = try TemporaryFolder()
        try folder.folder("folder")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        for path in [folder.path("folder"), folder.path("pipe"), "/dev/zero", "/dev/null"] {
            let session = try #require(throws: SessionError.self) { try SessionDocument(path: path) }
            #expect("\(session)" == "\(path): is not a file")
            let script = try #require(throws: SessionError.self) { try PerformanceScript(path: path) }
            #expect("\(script)" == "\(path): is not a file")
        }
    }

    @Test("A file that nobody could have written is not read into memory")
    func tooLarge() throws {
        let folder = try TemporaryFolder()
        try folder.write("large.barline", [UInt8]())
        #expect(truncate(folder.path("large.barline"), 1 << 40) == 0)
        let error = try #require(throws: SessionError.self) { try SessionDocument(path: folder.path("large.barline")) }
        #expect("\(error)".contains("is larger than"), "\(error)")
    }
}
