import Foundation
import NIOCore
import NIOSSL

/// The certificate of a server, and its key, for connections over TLS.
struct ServerCertificate: Sendable {
    /// What connections are made with.
    let context: NIOSSLContext
    /// The names that it is for, in lower case; `*.` stands for one word in front.
    let names: Set<String>
    /// The addresses that it is for, as bytes.
    private let addresses: Set<[UInt8]>
    private let path: String

    /// How long a rejected client may take to close its connection, in seconds.
    private static let shutdownSeconds: Int64 = 1

    /// Reads a certificate, with those that vouch for it after it, and its key.
    ///
    /// - Parameters:
    ///   - files: both in PEM.
    ///   - now: the time at which it must be valid.
    /// - Throws: ``ServerError/badCertificate(file:reason:)``.
    init(_ files: CertificateFiles, now: Date = Date()) throws(ServerError) {
        path = files.certificate
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(ServerCertificate.bytes(of: files.certificate))
        } catch let error as ServerError {
            throw error
        } catch {
            throw .badCertificate(file: files.certificate, reason: "there is no certificate in PEM in it")
        }
        guard let own = chain.first else {
            throw .badCertificate(file: files.certificate, reason: "there is no certificate in PEM in it")
        }
        let (begin, end) = (Date(own.notValidBefore), Date(own.notValidAfter))
        if now > end {
            throw .badCertificate(file: files.certificate, reason: "it has expired: it was valid until \(end.day)")
        }
        if now < begin {
            throw .badCertificate(
                file: files.certificate, reason: "it is not valid yet, but from \(begin.day) on; is the clock right?")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: ServerCertificate.bytes(of: files.key), format: .pem)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .badCertificate(
                file: files.key, reason: "there is no key in PEM in it, or it is locked by a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(ServerCertificate.shutdownSeconds)
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .badCertificate(file: files.key, reason: "it is not the key of the certificate \(files.certificate)")
        }
        let alternatives = own._subjectAlternativeNames()
        names = Set(
            alternatives.filter { $0.nameType == .dnsName }.map {
                String(decoding: $0.bytes, as: UTF8.self).lowercased()
            })
        addresses = Set(alternatives.filter { $0.nameType == .ipAddress }.map(\.bytes))
    }

    /// A name that it is for, to be used where no other is known.
    var name: String? { names.filter { !$0.hasPrefix("*") }.min() }

    /// Why browsers will warn of a host, as it is in links; `nil` where the certificate is for it.
    func warning(of host: String) -> String? {
        if covers(host.lowercased()) { return nil }
        return "the certificate \(path) is not for \(host): browsers will warn of the page"
    }

    private func covers(_ host: String) -> Bool {
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if let address = try? SocketAddress(ipAddress: bare, port: 0) {
            return addresses.contains(address.networkBytes)
        }
        let parent = host.firstIndex(of: ".").map { "*" + host[$0...] }
        return names.contains(host) || parent.map(names.contains) == true
    }

    private static func bytes(of path: String) throws(ServerError) -> [UInt8] {
        let file = open(path, O_RDONLY)
        let reason = errno
        let unreadable = ServerError.badCertificate(
            file: path, reason: "it can't be read: \(String(cString: strerror(file < 0 ? reason : EISDIR)))")
        if file < 0 { throw unreadable }
        do {
            return Array(try FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd() ?? Data())
        } catch {
            throw unreadable
        }
    }
}

extension _SubjectAlternativeName {
    fileprivate var bytes: [UInt8] { contents.withUnsafeBufferPointer { Array($0) } }
}

extension SocketAddress {
    /// The address itself, in the order of the network.
    fileprivate var networkBytes: [UInt8] {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: []
        }
    }
}

extension Date {
    fileprivate init(_ time: time_t) { self.init(timeIntervalSince1970: Double(time)) }

    fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}
