import BarlineSession
import Foundation
import Synchronization

/// The links that open the page.
final class PageLinks: Sendable {
    let keys: AccessKeys
    private let base = Mutex<String?>(nil)

    init(_ keys: AccessKeys) { self.keys = keys }

    /// Says where the page is served, once that is known.
    ///
    /// - Returns: why browsers will warn of it, where they will.
    func serve(host: String?, port: Int, certificate: ServerCertificate?) -> String? {
        let given = host.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "127.0.0.1"
        let isAnywhere = ["0.0.0.0", "[::]"].contains(given)
        let name = isAnywhere ? certificate?.name ?? ProcessInfo.processInfo.hostName : given
        let scheme = certificate == nil ? "http" : "https"
        base.withLock { $0 = "\(scheme)://\(name):\(port)/" }
        return certificate?.warning(of: name)
    }

    /// That for those who play; `nil` where the page is not served.
    var playing: String? { link(keys.texts?.playing) }

    /// That for those who watch; `nil` where everybody plays.
    var watching: String? { keys.texts.flatMap { link($0.watching) } }

    private func link(_ key: String?) -> String? {
        base.withLock { $0 }.map { $0 + (key.map { "?token=\($0)" } ?? "") }
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
