import BarlineTime
import Foundation

/// The address of a Snapcast server's source, `snapcast://HOST[:PORT]`, and its options.
///
/// The port is that of a source of the server's own: `source = tcp://0.0.0.0:4953?name=NAME&sampleformat=48000:16:2`. After a
/// question mark may follow what differs from the usual: `rate` and `bits` (16, 24 or 32) of the source's sample format, and
/// `buffer`, the server's buffer in milliseconds.
public struct SnapcastAddress: Hashable, Sendable {
    /// Where a TCP source listens if nothing is said.
    public static let standardPort = 4953
    /// Where the server is controlled.
    public static let standardControlPort = 1705

    /// The server's name or number.
    public var host: String
    /// The source's port; `nil` where the text says none.
    public var port: Int?
    /// The rate of the source's sample format.
    public var sampleRate = SampleRate.standard
    /// The bits of the source's sample format: 16, 24 or 32.
    public var bits = 16
    /// From a frame's arrival at the server to its sounding in all rooms, in seconds.
    public var buffer = 1.0

    /// A server.
    public init(host: String, port: Int? = nil) {
        self.host = host
        self.port = port
    }

    /// Reads `snapcast://HOST[:PORT][?rate=…&bits=…&buffer=…]`; the scheme may be left out.
    ///
    /// - Throws: ``OutputError/invalidAddress(_:)``.
    public init(_ text: String) throws(OutputError) {
        let whole = text.contains("://") ? text : "snapcast://" + text
        guard let parts = URLComponents(string: whole), parts.scheme?.lowercased() == "snapcast",
            let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path),
            (1...65_535).contains(parts.port ?? 1)
        else { throw .invalidAddress(text) }
        // An IPv6 number stands in brackets there, and without elsewhere.
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
