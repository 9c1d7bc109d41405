import BarlineHost
import BarlineSession

/// Control over UDP, as it is turned on and off.
protocol OSCSwitch: Sendable {
    /// Where it listens.
    var host: String { get }
    /// The port that is listened on; `nil` where it is off.
    var port: Int? { get }
    /// Listens on another port, or on none. Never on the event loop, which does the listening.
    func listen(on port: Int?) throws(ServerError)
}

/// The requests about the server itself: OSC and who may send it, and the links to the page.
package final class ServerRequests: ControlService {
    let osc: (any OSCSwitch)?
    /// Who may do what by OSC.
    let access: OSCAccess
    private let links: PageLinks
    private let keysRenewed: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - osc: control over UDP; `nil` if there is none.
    ///   - access: who may do what by it.
    ///   - links: those to the page.
    ///   - renewed: is called with the generation of keys from which on connections stay open.
    init(
        osc: (any OSCSwitch)?, access: OSCAccess, links: PageLinks, renewed: @escaping @Sendable (Int) -> Void
    ) {
        self.osc = osc
        self.access = access
        self.links = links
        keysRenewed = renewed
    }

    /// The requests of a program that serves nothing.
    package convenience init() {
        self.init(
            osc: nil, access: OSCAccess(allowed: []), links: PageLinks(AccessKeys(playing: nil, watching: nil))
        ) { _ in }
    }

    /// What the page shows of OSC.
    var json: JSONValue {
        guard let osc, let port = osc.port else { return .null }
        let senders = access.known
        return [
            "host": .string(osc.host), "port": .number(Double(port)),
            "allowed": .array(senders.allowed.map { .string("\($0)") }),
            "refused": .array(senders.refused.map { .string("\($0)") }),
        ]
    }

    /// A request.
    package enum Action: Sendable {
        case osc(port: Int?)
        case oscAllow(AddressRange, isAllowed: Bool)
        case links(renewed: Bool)
    }

    package func perform(_ action: Action) throws(ControlRefusal) -> JSONValue {
        switch action {
        case .osc(let port):
            guard let osc else { throw ControlRefusal("this program does not listen to OSC") }
            do throws(ServerError) { try osc.listen(on: port) } catch { throw ControlRefusal(error.description) }
        case .oscAllow(let range, let isAllowed): try access.set(range, isAllowed: isAllowed)
        case .links(let renewed):
            if renewed {
                links.keys.renew()
                keysRenewed(links.keys.generation)
            }
            return links.json
        }
        return .null
    }
}
