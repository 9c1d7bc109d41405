import BarlineTestSupport
import Foundation
import Testing

/// What the page asks for while something takes long to compute.
@Suite("Answers while an edit is computed")
struct AnswerTests {
    private static let session = """
        {"barline": 1, "name": "Set", "tempo": 121, "tracks": [{"id": "t", "clips": [
         {"id": "a", "file": "a.wav", "beats": 360, "playback": "stretch", "onsets": [0]}]}]}
        """

    /// Asks for the state on a connection of its own, and waits for the beginning of the answer.
    private func answer(port: UInt16) -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var longest = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &longest, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = Array("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
        guard status == 0, write(descriptor, request, request.count) == request.count else { return nil }
        var bytes = [UInt8](repeating: 0, count: 12)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("A request is answered while a loop is flattened, also where all tasks share one thread")
    func flattening() throws {
        let folder = try TemporaryFolder()
        var random = TestRandom(seed: 5)
        try folder.write("a.wav", WaveFile((0..<192_000).map { _ in 0.3 * random.amplitude() }).bytes)
        try folder.write("set.barline", Self.session)
        let program = try Program(
            Barline.path,
            ["run", folder.path("set.barline"), "--backend", "null", "--no-browser", "--port", "0", "--json"],
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
                // A thread for all tasks of a priority, however many cores there are.
                "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1",
            ]) { $1 })
        defer { withExtendedLifetime(folder) { program.end() } }
        func port() -> UInt16? { program.output.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) } }
        try #require(eventually { port() != nil }, "\(program.errors)")
        let place = try #require(port())
        #expect(answer(port: place) == "HTTP/1.1 200")
        let clock = ContinuousClock()
        let began = clock.now
        program.send(#"{"do": "flattenClip", "clip": "a"}"# + "\n")
        var longest = Duration.zero
        while program.isRunning, !program.output.contains(#""event":"ack""#) {
            let asked = clock.now
            #expect(answer(port: place) == "HTTP/1.1 200")
            longest = max(longest, asked.duration(to: clock.now))
            Thread.sleep(forTimeInterval: 0.005)
        }
        let took = began.duration(to: clock.now)
        #expect(program.output.contains(#""ok":true"#), "\(program.output)")
        #expect(longest < took / 2, "\(longest) of \(took)")
    }
}
