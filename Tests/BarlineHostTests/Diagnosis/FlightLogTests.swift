import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost

/// What a program notes for the case that it crashes.
@Suite("Logs of crashes")
struct FlightLogTests {
    @Test("The last lines are there, whole and in order, however many there were", arguments: [1, 100, 20_000])
    func ring(count: Int) throws {
        let folder = try TemporaryFolder()
        var log = FlightLog(path: folder.path("log"))
        for index in 0..<count { log?.note("line \(index)") }
        #expect(FlightLog.remains(at: folder.path("log")) == nil, "its program lives")
        log = nil
        let lines = try #require(FlightLog.remains(at: folder.path("log"))).lines
        let numbers = try lines.map { line in
            let match = try #require(
                line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z line (\d+)/), "\(line)")
            return try #require(Int(match.1))
        }
        #expect(numbers == Array(count - lines.count..<count))
        #expect(lines.count == count || lines.joined(separator: "\n").utf8.count > FlightLog.ringBytes - 200)
    }

    @Test("What is asked for and what happens is noted; a program that ends as it should leaves nothing")
    func session() async throws {
        let stage = try await HostStage()
        let library = stage.host.session.library
        let recorder = try #require(FlightRecorder(stage.host.session) { (nil, 3) })
        stage.host.add(recorder)
        stage.host.start()
        _ = try stage.host.session.perform(.launch(clip: "a"), source: "a test")
        _ = try await stage.host.session.perform(
            ControlAction(JSONValue(parsing: Data(#"{"do": "addTrack", "name": "Three"}"#.utf8)), source: "a test"),
            source: "a test")
        let folder = CrashLogs.folder(of: library)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        #expect(CrashLogs.collect(in: library).isEmpty, "its program lives")
        // As a crash would have left it.
        let left = folder.appendingPathComponent("running-1-left.log")
        func noted() -> Data {
            FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data()
        }
        #expect(eventually { String(decoding: noted(), as: UTF8.self).contains("clipStarted") })
        // What has become of its blocks is reported of it while it runs, and of no other.
        #expect(
            eventually { CallbackAccount.all(in: library).map(\.account) == [CallbackAccount(load: nil, xruns: 3)] })
        try noted().write(to: left)
        #expect(CallbackAccount.all(in: library).count == 1)
        let logs = CrashLogs.collect(in: library)
        #expect(logs.count == 1 && CrashLogs.all(in: library) == logs && CrashLogs.collect(in: library).isEmpty)
        let text = try String(contentsOfFile: try #require(logs.first), encoding: .utf8)
        #expect(text.hasPrefix("barline \(Program.version) did not come to its end"))
        for part in [
            #"action {"clip":"a","do":"launch"}, by a test"#, "edit Add track, by a test", #"event {"#, "clipStarted",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        try stage.host.stop()
        recorder.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("crash-") })
    }

    @Test("Ten are kept")
    func kept() throws {
        let folder = try TemporaryFolder()
        for index in 0..<15 { try folder.write("state/log/crash-20\(10 + index).log", "") }
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path), state: URL(fileURLWithPath: folder.path("state")))
        _ = CrashLogs.collect(in: library)
        #expect(
            CrashLogs.all(in: library).map { ($0 as NSString).lastPathComponent }
                == (15...24).reversed().map { "crash-20\($0).log" })
    }
}
