import BarlineFiles
import Foundation
import NIOCore
import Synchronization

/// The certificate of a server that is read again when its files are others: one that is renewed holds from the next
/// connection on, and existing ones continue.
final class CertificateRenewal: Sendable {
    private struct State {
        var certificate: ServerCertificate
        /// The files as they were when they were looked at last.
        var seen: [FileIdentity?]
        /// Whether those were faulty, and whether that was reported.
        var isBad = false
        var isReported = false
        var isLooking = false
    }

    private let files: CertificateFiles
    private let state: Mutex<State>

    /// Reads the files for the first time.
    ///
    /// - Throws: ``ServerError/badCertificate(file:reason:)``.
    init(_ files: CertificateFiles) throws(ServerError) {
        self.files = files
        // What is written while they are read is read again.
        let seen = CertificateRenewal.identities(of: files)
        state = Mutex(State(certificate: try ServerCertificate(files), seen: seen))
    }

    /// The certificate that holds now.
    var current: ServerCertificate { state.withLock { $0.certificate } }

    /// Looks at the files every `seconds`, beside `loop`, for as long as that lives.
    ///
    /// - Parameters:
    ///   - seconds: how often.
    ///   - loop: provides the time.
    ///   - notify: is called with what is wrong with changed files; the former certificate stays in use.
    func watch(every seconds: Double, on loop: any EventLoop, notify: @escaping @Sendable (String) -> Void) {
        let interval = TimeAmount(seconds: seconds)
        loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [self] _ in
            let isFirst = state.withLock { state in
                defer { state.isLooking = true }
                return !state.isLooking
            }
            guard isFirst else { return }
            // A disk may be slow; the network does not wait for it.
            DispatchQueue.global(qos: .utility).async { [self] in
                if let problem = look() { notify(problem) }
                state.withLock { $0.isLooking = false }
            }
        }
    }

    /// Reads the files where they are not what they were.
    ///
    /// - Returns: what is wrong with them, where that was not reported yet.
    func look() -> String? {
        let now = CertificateRenewal.identities(of: files)
        let (isSame, isBad) = state.withLock { ($0.seen == now, $0.isBad) }
        if isSame, !isBad { return nil }
        let result = Result { () throws(ServerError) in try ServerCertificate(files) }
        return state.withLock { state in
            state.seen = now
            switch result {
            case .success(let certificate):
                state.certificate = certificate
                (state.isBad, state.isReported) = (false, false)
                return nil
            case .failure(let error):
                state.isBad = true
                // A certificate whose key is written a moment later does not match yet: that is reported only if it
                // persists until the next check.
                let isUnreported = isSame && !state.isReported
                state.isReported = isSame
                return isUnreported ? "\(error); the certificate of before is used on" : nil
            }
        }
    }

    private static func identities(of files: CertificateFiles) -> [FileIdentity?] {
        [FileIdentity(files.certificate), FileIdentity(files.key)]
    }
}
