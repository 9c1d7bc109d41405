import Foundation

/// A certificate and its key, as files in PEM.
package struct CertificateFiles: Hashable, Sendable {
    /// The path of the certificate, which those that vouch for it may follow.
    var certificate: String
    /// The path of its key.
    var key: String

    /// Names the files.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The configuration of a server: where it listens, and what it serves.
package struct ServerConfiguration: Sendable {
    /// The port where none is asked for.
    package static let standardPort = 7373
    /// The port of OSC where it is asked for without one.
    package static let standardOSCPort = 9000

    /// The host it listens on: a name or an address; `nil` for loopback.
    package var host: String?
    /// The port; `nil` for the standard one, or the next that is free. 0 is any that is free.
    package var port: Int?
    /// What connections are encrypted with; `nil` where they are not.
    package var certificate: CertificateFiles?
    /// How often it is seen whether that was renewed, in seconds.
    package var renewalInterval = 5.0
    /// Whether the page and the API are served; without them there is OSC only.
    package var servesPage = true
    /// The port for control by OSC over UDP at the start; `nil` for none, 0 for any that is free.
    package var oscPort: Int?
    /// Where OSC is taken: a name or an address of this machine; `nil` for loopback, whatever ``host`` is.
    package var oscHost: String?
    /// The addresses of the network that may play by OSC.
    package var oscAllowed: [AddressRange] = []
    /// What every request must carry; `nil` for nothing.
    package var token: String?
    /// What those carry who only watch, where there is a ``token``; `nil` for one that nobody guesses.
    package var watchToken: String?
    /// A folder whose files are served in the place of the embedded page, for those who work on the page.
    package var pageFolder: URL?
    /// The largest file that may be uploaded, in bytes.
    package var uploadLimit = 512 << 20
    /// Connections that may be open at once, besides the few of those who have not shown the token.
    package var connectionLimit = 256
    /// How long a connection may take to ask for something, in seconds.
    package var requestTimeout = 15.0
    /// How long one upload may take, in seconds.
    package var uploadTimeout = 3_600.0
    /// What an upload must bring, and a download take, on average over ``requestTimeout``, in bytes a second.
    package var slowestTransfer = 4_096.0
    /// How long a WebSocket may be silent, in seconds; it is asked for a sign of life three times meanwhile.
    package var socketTimeout = 45.0

    /// A server on loopback.
    package init() {}

    /// A token that nobody guesses.
    package static func randomToken() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}
