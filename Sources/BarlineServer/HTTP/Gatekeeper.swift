import Foundation
import NIOHTTP1

/// Decides which requests are admitted: none from another site's page or under a foreign host name, and none without
/// the token where there is one.
struct Gatekeeper: Sendable {
    /// Names that are the server's own, besides addresses and those that its certificate is for.
    private let names: Set<String>
    private let certificate: CertificateRenewal?
    /// Whether any address may be asked for: those of a server that listens to the network are not known beforehand.
    let allowsAddresses: Bool
    let port: Int
    /// Whether requests come over TLS.
    let isSecure: Bool
    let keys: AccessKeys

    /// The decision on a request.
    enum Decision {
        case passes(AccessKeys.Right)
        case refused(Response)
    }

    init(host: String?, port: Int, certificate: CertificateRenewal?, keys: AccessKeys) {
        var names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
        if let host {
            names.insert(host.contains(":") ? "[\(host.lowercased())]" : host.lowercased())
            let own = ProcessInfo.processInfo.hostName.lowercased()
            names.formUnion([own, own + ".local"])
        }
        self.names = names
        self.certificate = certificate
        allowsAddresses = host != nil
        self.port = port
        isSecure = certificate != nil
        self.keys = keys
    }

    /// The cookie that carries the token. Cookies know no ports, so its name does.
    var cookie: String { "barline-\(port)" }

    /// Whether a request may pass, and what it may do.
    func decision(on request: Request) -> Decision {
        if let refusal = originRefusal(of: request) { return .refused(refusal) }
        guard keys.areNeeded else { return .passes(.playing) }
        if request.path == "/", let given = request.query["token"], keys.right(of: given) != nil {
            let value =
                "\(cookie)=\(given); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000"
                + (isSecure ? "; Secure" : "")
            return .refused(Response(status: .seeOther).with("Location", "/").with("Set-Cookie", value))
        }
        let rights = carried(request.head.headers).compactMap(keys.right)
        if let right = rights.contains(.playing) ? .playing : rights.first { return .passes(right) }
        return .refused(
            .error(.unauthorized, "open the link that barline prints: it carries the token")
                .with("WWW-Authenticate", "Bearer"))
    }

    /// Why a request comes from elsewhere; `nil` where it does not.
    private func originRefusal(of request: Request) -> Response? {
        let headers = request.head.headers
        let hosts = headers["Host"]
        guard hosts.count == 1, let host = hosts.first, isOwn(host) else {
            return .error(.forbidden, "the host is not one of this server's names")
        }
        if let origin = headers.first(name: "Origin"),
            origin.lowercased() != "\(isSecure ? "https" : "http")://\(host.lowercased())"
        {
            return .error(.forbidden, "the request is from another site")
        }
        if let site = headers.first(name: "Sec-Fetch-Site"), site != "same-origin", site != "none" {
            // A link that leads here is no danger: it can't read or do anything.
            let isLink =
                headers.first(name: "Sec-Fetch-Mode") == "navigate" && request.head.method == .GET
                && request.path == "/"
            if !isLink { return .error(.forbidden, "the request is from another site") }
        }
        return nil
    }

    private func isOwn(_ host: String) -> Bool {
        let host = host.lowercased()
        var name = host
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard host[host.index(after: colon)...] == "\(port)" else { return false }
            name = String(host[..<colon])
        } else if port != (isSecure ? 443 : 80) {
            return false
        }
        if names.contains(name) || (allowsAddresses && Gatekeeper.isAddress(name)) { return true }
        // Whoever has a certificate for a name owns the name: no other site can point it here.
        return certificate?.current.names.contains(name) == true
    }

    private static func isAddress(_ name: String) -> Bool {
        var storage = in6_addr()
        if name.hasPrefix("["), name.hasSuffix("]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &storage) == 1
        }
        return inet_pton(AF_INET, name, &storage) == 1
    }

    private func carried(_ headers: HTTPHeaders) -> [String] {
        // The scheme's name has no case (RFC 9110, 11.1).
        var tokens = headers["Authorization"].filter { $0.prefix(7).lowercased() == "bearer " }
            .map { $0.dropFirst(7).trimmingCharacters(in: .whitespaces) }
        for line in headers["Cookie"] {
            for pair in line.split(separator: ";") {
                let text = pair.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix(cookie + "=") { tokens.append(String(text.dropFirst(cookie.count + 1))) }
            }
        }
        return tokens
    }
}
