import BarlineSession
import Foundation
import Synchronization

/// The links that open the page.
final class PageLinks: Sendable {
    let keys: AccessKeys
    private let place = Mutex<Place?>(nil)

    /// Where the page is served.
    private struct Place: Sendable {
        let host: String
        let port: Int
        let certificate: CertificateRenewal?

        /// The host as it is in links: that of the certificate where any would do, which one that is renewed may change.
        var name: String {
            let isAnywhere = ["0.0.0.0", "[::]"].contains(host)
            return isAnywhere ? certificate?.current.name ?? ProcessInfo.processInfo.hostName : host
        }

        var address: String { "\(certificate == nil ? "http" : "https")://\(name):\(port)/" }
    }

    init(_ keys: AccessKeys) { self.keys = keys }

    /// Says where the page is served, once that is known.
    ///
    /// - Returns: why browsers will warn of it, where they will.
    func serve(host: String?, port: Int, certificate: CertificateRenewal?) -> String? {
        let given = host.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "127.0.0.1"
        let served = Place(host: given, port: port, certificate: certificate)
        place.withLock { $0 = served }
        return certificate?.current.warning(of: served.name)
    }

    /// That for those who play; `nil` where the page is not served.
    var playing: String? { link(keys.texts?.playing) }

    /// That for those who watch; `nil` where everybody plays.
    var watching: String? { keys.texts.flatMap { link($0.watching) } }

    private func link(_ key: String?) -> String? {
        place.withLock { $0 }.map { $0.address + (key.map { "?token=\($0)" } ?? "") }
    }

    /// Both, and as codes for cameras, a text of zeros and ones for each row.
    var json: JSONValue {
        func code(_ link: String?) -> JSONValue {
            link.flatMap(PictureCode.init).map { .array($0.rows.map(JSONValue.string)) } ?? .null
        }
        return [
            "play": .text(playing), "watch": .text(watching), "playCode": code(playing), "watchCode": code(watching),
        ]
    }
}
