import Foundation
import Synchronization

/// An HTTP server of the test's own, which can be killed and come back on the same port.
///
/// The first part of a path says how it behaves: `ranges`, `whole` (sends no parts), `chunked` (gives no length),
/// `closed` (gives no length, and the end of the connection is the end), `cut` (ends half-way), `live` (a radio station
/// that plays the file again and again, and hangs up after each), `silent` (sends the first half, then nothing), `mute`
/// (never answers), `reset` and `stall` (send parts, and the first time the first half only: then the connection is
/// reset, or nothing comes).
package final class FileServer: Sendable {
    /// Why there is no server.
    package struct DidNotStart: Error {
        package let output: String
    }

    /// Its port on loopback.
    package let port: Int
    private let folder: TemporaryFolder
    private let program: Mutex<Program>

    /// A server of the files of `folder`.
    package init(_ folder: TemporaryFolder) throws {
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

    /// The address of a file.
    package func url(_ behaviour: String, _ name: String) -> String { "http://127.0.0.1:\(port)/\(behaviour)/\(name)" }

    /// What was asked for so far, a line a request.
    package var requests: [String] {
        program.withLock { $0.output }.split(separator: "\n").dropFirst().map(String.init)
    }

    /// Is killed.
    package func crash() { program.withLock { $0.end() } }

    /// Is there again, on the same port.
    package func comeBack() throws {
        let next = try FileServer.start(folder, port)
        program.withLock { $0 = next }
    }

    private static let source = """
        import http.server, os, socket, struct, sys, time

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def parse_request(self):
                parsed = super().parse_request()
                # As a server of HTTP/1.0 answers.
                self.protocol_version = "HTTP/1.0" if parsed and self.path.startswith("/closed/") else "HTTP/1.1"
                return parsed

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
                if behaviour in ("ranges", "reset", "stall") and asked:
                    start = int(asked.split("=")[1].split("-")[0])
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
                else:
                    self.send_response(200)
                if behaviour in ("ranges", "reset", "stall"):
                    self.send_header("Accept-Ranges", "bytes")
                if behaviour == "live":
                    self.send_header("icy-name", "Test FM")
                    self.send_header("Content-Type", "audio/mpeg")
                elif behaviour == "chunked":
                    self.send_header("Transfer-Encoding", "chunked")
                elif behaviour != "closed":
                    self.send_header("Content-Length", str(len(data) - start))
                if behaviour in ("live", "cut", "closed"):
                    self.close_connection = True
                self.end_headers()
                half = behaviour in ("cut", "silent") or behaviour in ("reset", "stall") and start == 0
                end = len(data) // 2 if half else len(data)
                for offset in range(start, end, 65536):
                    piece = data[offset:min(end, offset + 65536)]
                    if behaviour == "chunked":
                        piece = b"%x\\r\\n%s\\r\\n" % (len(piece), piece)
                    self.wfile.write(piece)
                if behaviour == "chunked":
                    self.wfile.write(b"0\\r\\n\\r\\n")
                if behaviour == "reset" and half:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    self.connection.close()
                if behaviour == "silent" or behaviour == "stall" and half:
                    time.sleep(3600)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        server.daemon_threads = True
        print("ready", flush=True)
        server.serve_forever()
        """
}
