import BarlineEngine
import BarlineServer
import BarlineSession
import BarlineTestSupport
import Foundation
import Synchronization

/// A session that is served, without a device: a block is rendered where a boundary wants one.
final class FuzzStage: Sendable {
    private struct Parts: Sendable {
        let session: LiveSession
        let server: SessionServer
        let midi: MIDIWire
    }

    private let folder: TemporaryFolder
    private let parts: Mutex<Parts>
    private let inputs = Atomic<Int>(0)

    /// Inputs after which all is made anew: what they have changed would be in the way of those that come.
    private static let lifetime = 2_000

    private static let document = """
        {"barline": 1, "name": "Set", "scenes": [{"name": "Intro"}],
         "tracks": [
          {"id": "t", "name": "One", "clips": [{"id": "a", "file": "a.wav", "beats": 4}, {"id": "b", "file": "a.wav"}]},
          {"id": "u", "name": "Two", "clips": [{"id": "c", "file": "a.wav", "beats": 8}]}],
         "pads": [{"id": "p", "file": "a.wav", "note": 36}],
         "midi": {"grid": "launchpad", "mappings": [
          {"message": "cc", "number": 7, "action": {"do": "gain", "track": "t"}, "key": "db", "from": -60, "to": 6},
          {"message": "note", "number": 1, "action": {"do": "toggle", "what": "mute", "track": "t"}},
          {"message": "program", "number": 3, "action": {"do": "launch", "clip": "a"}}]}}
        """

    init() async throws {
        folder = try TemporaryFolder(in: "/dev/shm")
        try folder.write("a.wav", WaveFile((0..<2_400).map { Double($0 % 100) / 200 }).bytes)
        parts = Mutex(try await FuzzStage.make(in: folder))
    }

    private static func make(in folder: TemporaryFolder) async throws -> Parts {
        let path = try folder.write("set.barline", document)
        let player = try await SessionPlayer(SessionDocument(path: path), path: path) { $0.reserveForEditing() }
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
        let session = LiveSession(player, library: library)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.requestTimeout = 2
        configuration.uploadLimit = 1 << 20
        let server = try SessionServer(session, configuration: configuration) { OutputFacts() }
        return Parts(session: session, server: server, midi: MIDIWire(session))
    }

    var session: LiveSession { parts.withLock(\.session) }
    var server: SessionServer { parts.withLock(\.server) }
    var midi: MIDIWire { parts.withLock(\.midi) }

    /// Counts an input, and makes all anew where there were many.
    func begin() throws {
        guard inputs.add(1, ordering: .relaxed).newValue % FuzzStage.lifetime == 0 else { return }
        let old = parts.withLock { $0 }
        old.midi.end()
        old.server.stop()
        let made = Mutex<Result<Parts, any Error>?>(nil)
        let isMade = DispatchSemaphore(value: 0)
        let folder = folder
        Task.detached {
            let result: Result<Parts, any Error>
            do { result = .success(try await FuzzStage.make(in: folder)) } catch { result = .failure(error) }
            made.withLock { $0 = result }
            isMade.signal()
        }
        isMade.wait()
        if let result = made.withLock({ $0 }) {
            let fresh = try result.get()
            parts.withLock { $0 = fresh }
        }
    }

    /// Lets the session play a block.
    func play() {
        let session = session
        let frames = 64
        let channels = 2 * session.player.engine.configuration.busCount
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: channels * frames)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
        defer {
            samples.deallocate()
            outputs.deallocate()
        }
        samples.initialize(repeating: 0, count: channels * frames)
        for channel in 0..<channels { outputs[channel] = samples + channel * frames }
        session.player.engine.render(AudioBlock(outputs: outputs, outputCount: channels, frames: frames))
        server.publish(session.takeEvents())
    }
}
