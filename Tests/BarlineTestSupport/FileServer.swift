import BarlineTestSupport
import Foundation
import Synchronization

/// An HTTP server of the test's own, which can be killed and come back on the same port.
///
/// The first part of a path says how it behaves: `ranges`, `whole` (sends no parts), `chunked` (gives no length), `cut` (ends
/// half-way), `live` (a radio station that plays the file again and again, and hangs up after each), `silent` (sends the
/// first half, then nothing), `mute` (never answers).
final class FileServer: Sendable {
    /// Why there is no server.
    struct DidNotStart: Error {
        let output: String
    }

    let port: Int
    private let folder: TemporaryFolder
    private let program: Mutex<Program>

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        port = FreePorts.find(1)[0]
        try folder.write("server.py", FileServer.source)
        program = Mutex(try FileServer.start(folder, port))
    }

    deinit { crash() }

    private static func start(_ folder: TemporaryFolder, _ port: Int) throws -> Program {
        let program = try Program("python3", ["-u", folder.path("server.py"), "\(port)"], in: folder.path)
        guard eventually(within: 60, { program.output.contains("ready") }) else {
            program.end()
            throw DidNotStart(output: program.errors)
        }
        return program
    }

    func url(_ behaviour: String, _ name: String) -> String { "http://127.0.0.1:\(port)/\(behaviour)/\(name)" }

    /// What was asked for so far, a line a request.
    var requests: [String] { program.withLock { $0.output }.split(separator: "\n").dropFirst().map(String.init) }

    func crash() { program.withLock { $0.end() } }

    func comeBack() throws {
        let next = try FileServer.start(folder, port)
        program.withLock { $0 = next }
    }

    private static let source = """
        import http.server, os, sys, time

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                print(self.path, self.headers.get("Range", "-"), flush=True)
                _, behaviour, name = self.path.split("/", 2)
                if not os.path.exists(name):
                    return self.send_error(404)
                with open(name, "rb") as file:
                    data = file.read()
                if behaviour == "mute":
                    return time.sleep(3600)
                start = 0
                asked = self.headers.get("Range")
                if behaviour == "ranges" and asked:
                    start = int(asked.split("=")[1].split("-")[0])
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
                else:
                    self.send_response(200)
                if behaviour == "ranges":
                    self.send_header("Accept-Ranges", "bytes")
                if behaviour == "live":
                    self.send_header("icy-name", "Test FM")
                    self.send_header("Content-Type", "audio/mpeg")
                elif behaviour == "chunked":
                    self.send_header("Transfer-Encoding", "chunked")
                else:
                    self.send_header("Content-Length", str(len(data) - start))
                if behaviour in ("live", "cut"):
                    self.close_connection = True
                self.end_headers()
                end = len(data) // 2 if behaviour in ("cut", "silent") else len(data)
                for offset in range(start, end, 65536):
                    piece = data[offset:min(end, offset + 65536)]
                    if behaviour == "chunked":
                        piece = b"%x\\r\\n%s\\r\\n" % (len(piece), piece)
                    self.wfile.write(piece)
                if behaviour == "chunked":
                    self.wfile.write(b"0\\r\\n\\r\\n")
                if behaviour == "silent":
                    time.sleep(3600)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        server.daemon_threads = True
        print("ready", flush=True)
        server.serve_forever()
        """
}
