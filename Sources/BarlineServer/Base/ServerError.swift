/// Why a server can't serve.
package enum ServerError: Error, Hashable, Sendable {
    /// The address can't be listened on; the option that names another port.
    case cannotListen(host: String, port: Int, reason: String, option: String)
    /// None of the ports that were tried is free.
    case noFreePort(ClosedRange<Int>)
    /// A certificate or its key can't be used.
    case badCertificate(file: String, reason: String)
}

extension ServerError: CustomStringConvertible {
    /// The value in words.
    package var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason, let option):
            "can't listen on \(host), port \(port): \(reason); choose another one with \(option)"
        case .noFreePort(let range):
            "the ports \(range.lowerBound) to \(range.upperBound) are in use; choose another one with --port"
        case .badCertificate(let file, let reason): "can't serve over TLS: \(file): \(reason)"
        }
    }
}
