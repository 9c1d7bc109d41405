/// An error of an output. Every case names the device and a remedy.
public enum OutputError: Error, Hashable, Sendable {
    /// The sound server is not running, or refuses the connection.
    case noServer(backend: String, reason: String)
    /// There is no such device.
    case noDevice(backend: String, name: String, available: [String])
    /// The device can't be opened or started.
    case cannotStart(backend: String, reason: String)
    /// The device's sample rate is not supported.
    case unsupportedSampleRate(backend: String, hertz: Double)
    /// The pattern for ports to connect to is not a regular expression.
    case invalidPattern(String)
    /// The text is not an address of a Snapcast server.
    case invalidAddress(String)
    /// A server refuses a request.
    case refused(server: String, reason: String)
}

extension OutputError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .noServer(let backend, let reason): "\(backend): no server to connect to: \(reason)"
        case .noDevice(let backend, let name, let available):
            available.isEmpty
                ? "\(backend): there is no device"
                : "\(backend): there is no device \"\(name)\"; there is \(available.joined(separator: ", "))"
        case .cannotStart(let backend, let reason): "\(backend): can't be started: \(reason)"
        case .unsupportedSampleRate(let backend, let hertz): "\(backend): runs at \(hertz) Hz, which can't be played at"
        case .invalidPattern(let pattern): "--connect: \"\(pattern)\" is no regular expression"
        case .invalidAddress(let text): "\"\(text)\" is no address of a Snapcast server; one is snapcast://HOST[:PORT]"
        case .refused(let server, let reason): "\(server): \(reason)"
        }
    }
}

extension OutputError {
    /// The error of a backend that was left out of the build.
    static func absent(_ backend: String, trait: String) -> OutputError {
        .noServer(backend: backend, reason: "Barline was built without it (package trait \(trait))")
    }
}
