import BarlineHost
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

/// Files of events: what can't be written never stops the show.
@Suite("Event logs")
struct EventLogTests {
    @Test("Every event is a line of the file, which is there when the host has stopped")
    func whole() async throws {
        let stage = try await HostStage { plan, _ in plan.opening = [.launch(clip: "a")] }
        let path = stage.folder.path("events.jsonl")
        let log = try EventLog(path: path, player: stage.host.player) { _ in }
        let witness = Witness()
        stage.host.add(log)
        stage.host.add(witness)
        stage.host.start()
        #expect(eventually { witness.all.events.hasStart })
        #expect(!FileManager.default.fileExists(atPath: path))
        try stage.host.stop()
        let expected = witness.all.events.compactMap(stage.host.player.eventLine)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) == expected)
        #expect(log.problem == nil)
    }

    // Other systems have no device that is always full.
    #if os(Linux)
        @Test("On a full disk playing goes on; it is reported once, and at the end how much is missing")
        func fullDisk() async throws {
            let stage = try await HostStage { plan, _ in plan.opening = [.launch(clip: "a")] }
            let reported = Mutex<[String]>([])
            let log = try EventLog(path: "/dev/full", player: stage.host.player) { text in
                reported.withLock { $0.append(text) }
            }
            let witness = Witness()
            stage.host.add(log)
            stage.host.add(witness)
            stage.host.start()
            #expect(eventually { witness.all.events.count > 4 })
            #expect(eventually { !reported.withLock { $0 }.isEmpty })
            let frame = stage.host.player.engine.state.frame
            #expect(eventually { stage.host.player.engine.state.frame > frame + 4_800 }, "it plays on")
            try stage.host.stop()
            #expect(reported.withLock { $0 }.count == 1)
            let lines = witness.all.events.compactMap(stage.host.player.eventLine).count
            #expect(
                log.problem
                    == .file(
                        path: "/dev/full",
                        reason: "can't be written: No space left on device; \(lines) events are missing"))
            #expect(FileManager.default.fileExists(atPath: "/dev/full"))
        }
    #endif

    @Test("A named pipe that nobody reads holds nothing up")
    func unreadPipe() async throws {
        let stage = try await HostStage { plan, _ in plan.opening = [.launch(clip: "a")] }
        let pipe = stage.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let log = try EventLog(path: pipe, player: stage.host.player) { _ in }
        // As much as the pipe takes is in it before.
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        let filling = [UInt8](repeating: 10, count: 4096)
        while write(descriptor, filling, filling.count) > 0 {}
        while write(descriptor, filling, 1) > 0 {}
        let witness = Witness()
        stage.host.add(log)
        stage.host.add(witness)
        stage.host.start()
        #expect(eventually { witness.all.events.hasStart })
        try stage.host.stop()
        #expect(witness.all.ends == 1)
        #expect(log.problem != nil)
        // Its thread ends with the pipe's being read.
        var bytes = [UInt8](repeating: 0, count: 65_536)
        #expect(
            eventually {
                _ = read(descriptor, &bytes, bytes.count)
                return stage.host.areObserversDone
            })
    }
}
