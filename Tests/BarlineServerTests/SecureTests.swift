import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineServer

/// The page, the API and the socket over TLS, asked by OpenSSL's own client, which checks the certificate.
@Suite("TLS", .serialized)
struct SecureTests {
    private static let owner = ["Authorization": "Bearer secret"]

    /// Serves a session with a token over TLS, with a certificate that is for `names`.
    private func serving(
        host: String? = nil, names: String = "DNS:localhost,IP:127.0.0.1",
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping (ServedSession, TestCertificate) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let certificate = try TestCertificate(in: folder, for: names)
        try await BarlineServerTests.serving(configure: {
            $0.token = "secret"
            $0.watchToken = "look"
            $0.host = host
            $0.certificate = CertificateFiles(certificate: certificate.certificate, key: certificate.key)
            configure(&$0)
        }) { served async throws in try await body(served, certificate) }
    }

    @Test("The link is https, its token becomes a cookie that no connection in clear is given, and the page comes")
    func page() async throws {
        try await serving { served, certificate async throws in
            let host = "localhost:\(served.port)"
            #expect(served.server.link == "https://127.0.0.1:\(served.port)/?token=secret")
            #expect(await served.links["watch"]?.text == "https://127.0.0.1:\(served.port)/?token=look")
            #expect(served.server.linkWarning == nil)
            let socket = try TestSocket(securelyTo: served.port, trusting: certificate.certificate)
            let link = try socket.request("GET", "/?token=secret", host: host, port: served.port)
            let parts = try #require(link.headers["set-cookie"]).components(separatedBy: "; ")
            #expect(Set(parts).isSuperset(of: ["Secure", "HttpOnly", "SameSite=Strict"]))
            let page = try socket.request("GET", "/", headers: ["Cookie": parts[0]], host: host, port: served.port)
            #expect(page.status == 200)
            #expect(String(decoding: page.body, as: UTF8.self).contains("<html"))
            #expect(page.headers["content-security-policy"]?.contains("wss://\(host);") == true)
        }
    }

    @Test("Files go up, actions are done, and the socket tells the state and events")
    func control() async throws {
        try await serving { served, certificate async throws in
            let host = "localhost:\(served.port)"
            let socket = try TestSocket(securelyTo: served.port, trusting: certificate.certificate)
            // Larger than what the kernel and the library take at once.
            let wave = WaveFile((0..<400_000).map { sin(Double($0) / 20) / 2 }).bytes
            let upload = try socket.request(
                "PUT", "/api/files?name=long.wav", headers: SecureTests.owner, host: host, body: wave, port: served.port
            )
            #expect(upload.status == 201)
            let headers = SecureTests.owner.merging(["Origin": "https://\(host)"]) { $1 }
            let page = try TestWebSocket(
                TestSocket(securelyTo: served.port, trusting: certificate.certificate), port: served.port,
                headers: headers, host: host)
            #expect(page.status == 101)
            #expect(try page.json("state")["session"]?["name"] == "Set")
            // The event may come before the answer.
            page.send(#"{"request": 1, "do": "tempo", "bpm": 90}"#)
            #expect(try page.json("events")["events"]?[0]?["event"] == "tempoChanged")
            page.send(#"{"request": 2, "do": "tempo", "bpm": 90}"#)
            #expect(try page.json("ack", where: { $0["request"] == 2 })["ok"] == true)
            #expect(eventually { served.session.player.engine.state.transport.tempo.beatsPerMinute == 90 })
        }
    }

    @Test("A page in clear, of the same name, is another site; so is every other name, but not one of the certificate")
    func origins() async throws {
        try await serving(names: "DNS:localhost,DNS:studio.example.org") { served, certificate async throws in
            func ask(_ host: String, _ headers: [String: String]) throws -> Int {
                let socket = try TestSocket(securelyTo: served.port, trusting: certificate.certificate)
                return try socket.request(
                    "GET", "/api/session", headers: SecureTests.owner.merging(headers) { $1 }, host: host,
                    port: served.port
                ).status
            }
            let (own, port) = ("localhost:\(served.port)", served.port)
            #expect(try ask(own, ["Origin": "https://\(own)"]) == 200)
            #expect(try ask(own, ["Origin": "http://\(own)"]) == 403)
            #expect(try ask("studio.example.org:\(port)", ["Origin": "https://studio.example.org:\(port)"]) == 200)
            #expect(try ask("other.example.org:\(port)", [:]) == 403)
            #expect(served.server.linkWarning?.contains("is not for 127.0.0.1") == true)
        }
    }

    @Test("A server on all addresses is linked by the certificate's name")
    func anywhere() async throws {
        try await serving(host: "0.0.0.0", names: "DNS:*.example.org,DNS:Studio.example.org") {
            served, _ async throws in
            #expect(served.server.link == "https://studio.example.org:\(served.port)/?token=secret")
            #expect(served.server.linkWarning == nil)
        }
        try await serving(host: "localhost", names: "DNS:*.example.org") { served, _ async throws in
            #expect(served.server.link == "https://localhost:\(served.port)/?token=secret")
            #expect(served.server.linkWarning?.contains("is not for localhost") == true)
        }
    }

    @Test("Who speaks HTTP in clear is referred to https, and gets nothing else")
    func clear() async throws {
        try await serving { served, _ async throws in
            let answer = try served.request("GET", "/api/session", headers: SecureTests.owner)
            #expect(answer.status == 400)
            let socket = try TestSocket(port: served.port)
            socket.send("GET /?token=secret HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\r\n")
            #expect(try socket.read(through: "https://").contains("400 Bad Request"))
            #expect(socket.isClosed(within: 10))
        }
    }

    @Test("TLS 1.1, a certificate that is not trusted, silence and rubbish end the connection; the owner is served on")
    func refusals() async throws {
        try await serving(configure: { $0.requestTimeout = 1 }) { served, certificate async throws in
            let other = try TestCertificate(in: served.folder, name: "other")
            let old = try TestSocket(
                securelyTo: served.port, trusting: certificate.certificate,
                options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
            #expect(throws: TestSocket.Failure.closed) { try old.read(1) }
            let distrusting = try TestSocket(securelyTo: served.port, trusting: other.certificate)
            #expect(throws: TestSocket.Failure.closed) { try distrusting.read(1) }
            let silent = try TestSocket(port: served.port)
            #expect(silent.isClosed(within: 20))
            var random = TestRandom(seed: 3)
            for _ in 0..<40 {
                let hostile = try TestSocket(port: served.port)
                hostile.send([22] + (0..<400).map { _ in UInt8(random.int(0...255)) })
            }
            let socket = try TestSocket(securelyTo: served.port, trusting: certificate.certificate)
            let answer = try socket.request(
                "GET", "/api/session", headers: SecureTests.owner, host: "localhost:\(served.port)", port: served.port)
            #expect(answer.status == 200)
        }
    }

    @Test("Links to whatever address there is have the name of the certificate that holds now")
    func renewedLinks() throws {
        let folder = try TemporaryFolder()
        let first = try TestCertificate(in: folder, name: "first", for: "DNS:one.example.org")
        let second = try TestCertificate(in: folder, name: "second", for: "DNS:two.example.org")
        let files = CertificateFiles(certificate: first.certificate, key: first.key)
        let renewal = try CertificateRenewal(files)
        let links = PageLinks(AccessKeys(playing: nil, watching: nil))
        #expect(links.serve(host: "0.0.0.0", port: 8080, certificate: renewal) == nil)
        #expect(links.playing == "https://one.example.org:8080/")
        for (new, old) in [(second.key, first.key), (second.certificate, first.certificate)] {
            try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: old), options: .atomic)
        }
        #expect(renewal.look() == nil)
        #expect(links.playing == "https://two.example.org:8080/")
    }

    @Test(
        "A certificate that is renewed holds from the next connection on; one that can't be used is told, and the old one holds"
    )
    func renewal() async throws {
        try await serving(configure: { $0.renewalInterval = 0.02 }) { served, first async throws in
            let host = "localhost:\(served.port)"
            func isServed(trusting path: String, as host: String) -> Bool {
                guard let socket = try? TestSocket(securelyTo: served.port, trusting: path) else { return false }
                let answer = try? socket.request(
                    "GET", "/api/session", headers: SecureTests.owner, host: host, port: served.port)
                return answer?.status == 200
            }
            // Those that the server is to show, beside the files that it reads.
            let second = try TestCertificate(
                in: served.folder, name: "second", for: "DNS:localhost,DNS:new.example.org")
            let old = try served.folder.write(
                "old.pem", Array(Data(contentsOf: URL(fileURLWithPath: first.certificate))))
            func put(_ content: [UInt8], _ path: String) throws {
                try Data(content).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            func bytes(_ path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path))) }
            let going = try TestSocket(securelyTo: served.port, trusting: old)
            let before = try going.request(
                "GET", "/api/session", headers: SecureTests.owner, host: host, port: served.port)
            #expect(before.status == 200)
            #expect(!isServed(trusting: old, as: "new.example.org:\(served.port)"))

            try put(bytes(second.key), first.key)
            try put(bytes(second.certificate), first.certificate)
            #expect(eventually { isServed(trusting: second.certificate, as: host) })
            #expect(!isServed(trusting: old, as: host))
            #expect(isServed(trusting: second.certificate, as: "new.example.org:\(served.port)"))
            let after = try going.request(
                "GET", "/api/session", headers: SecureTests.owner, host: host, port: served.port)
            #expect(after.status == 200)

            let headers = SecureTests.owner.merging(["Origin": "https://\(host)"]) { $1 }
            let page = try TestWebSocket(
                TestSocket(securelyTo: served.port, trusting: second.certificate), port: served.port,
                headers: headers, host: host)
            try put(Array("rubbish".utf8), first.certificate)
            let notice = try page.json("notice")
            #expect(notice["text"]?.text?.contains("there is no certificate in PEM in it") == true)
            #expect(isServed(trusting: second.certificate, as: host))
        }
    }

    @Test("What is wrong with a certificate or its key is said with the file's name")
    func words() throws {
        let folder = try TemporaryFolder()
        let good = try TestCertificate(in: folder)
        let other = try TestCertificate(in: folder, name: "other")
        let empty = try folder.write("empty.pem", "")
        let text = try folder.write("text.pem", "-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n")
        let locked = folder.path("locked.key")
        try Program.run(
            "openssl", ["pkcs8", "-topk8", "-in", good.key, "-out", locked, "-passout", "pass:secret"])
        func reason(_ certificate: String, _ key: String, in days: Double = 0) -> String? {
            do {
                _ = try ServerCertificate(
                    CertificateFiles(certificate: certificate, key: key),
                    now: Date(timeIntervalSinceNow: days * 86_400))
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(reason(good.certificate, good.key) == nil)
        let missing = folder.path("missing")
        #expect(reason(missing, good.key)?.contains("\(missing): it can't be read: No such file") == true)
        #expect(reason(good.certificate, missing)?.contains("\(missing): it can't be read: No such file") == true)
        #expect(reason(folder.path(""), good.key)?.contains("it can't be read: Is a directory") == true)
        for file in [empty, text] {
            #expect(reason(file, good.key)?.contains("\(file): there is no certificate in PEM in it") == true)
            #expect(reason(good.certificate, file)?.contains("\(file): there is no key in PEM in it") == true)
        }
        #expect(reason(good.certificate, locked)?.contains("locked by a passphrase") == true)
        #expect(
            reason(good.certificate, other.key)?
                .contains("\(other.key): it is not the key of the certificate \(good.certificate)") == true)
        #expect(reason(good.certificate, good.key, in: 3)?.contains("it has expired: it was valid until 2") == true)
        #expect(reason(good.certificate, good.key, in: -1)?.contains("it is not valid yet") == true)
    }
}
