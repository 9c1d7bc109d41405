import BarlineTime
import Foundation

/// The address of a Snapcast server's source, `snapcast://HOST[:PORT]`, and its options.
///
/// The port is that of a TCP source of the server: `source = tcp://0.0.0.0:4953?name=NAME&sampleformat=48000:16:2`.
/// Options that differ from the defaults may follow a question mark: `rate` and `bits` (16, 24 or 32) of the source's
/// sample format, and `buffer`, the server's buffer in milliseconds.
public struct SnapcastAddress: Hashable, Sendable {
    /// The default port of a TCP source.
    static let standardPort = 4953
    /// The port of the server's control interface.
    package static let standardControlPort = 1705

    /// The server's host name or IP address.
    public var host: String
    /// The source's port; `nil` if the text has none.
    public var port: Int?
    /// The sample rate of the source's sample format.
    public var sampleRate = SampleRate.standard
    /// The bits of the source's sample format: 16, 24 or 32.
    public var bits = 16
    /// The time from a frame's arrival at the server to its playback in all rooms, in seconds.
    public var buffer = 1.0

    /// Creates the address of a server.
    public init(host: String, port: Int? = nil) {
        self.host = host
        self.port = port
    }

    /// Parses `snapcast://HOST[:PORT][?rate=…&bits=…&buffer=…]`; the scheme may be omitted.
    ///
    /// - Throws: ``OutputError/invalidAddress(_:)``.
    /// - Complexity: O(*n*) in the characters.
    public init(_ text: String) throws(OutputError) {
        let whole = text.contains("://") ? text : "snapcast://" + text
        guard let parts = URLComponents(string: whole), parts.scheme?.lowercased() == "snapcast",
            let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path),
            (1...65_535).contains(parts.port ?? 1)
        else { throw .invalidAddress(text) }
        // An IPv6 address is in brackets here, but not elsewhere.
        self.init(host: host.trimmingCharacters(in: ["[", "]"]), port: parts.port)
        for item in parts.queryItems ?? [] {
            let number = item.value.flatMap(Double.init)
            switch (item.name, number) {
            case ("rate", let rate?):
                guard let rate = SampleRate(rate) else { throw .invalidAddress(text) }
                sampleRate = rate
            case ("bits", let bits?) where [16, 24, 32].contains(bits): self.bits = Int(bits)
            case ("buffer", let buffer?) where (20...60_000).contains(buffer): self.buffer = buffer / 1000
            default: throw .invalidAddress(text)
            }
        }
    }
}
