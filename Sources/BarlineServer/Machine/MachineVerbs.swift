import BarlineSession

extension Machine.Action {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<Machine.Action>] = [
        Verb(
            "output",
            "Plays to another output, from the list of `/api/outputs`, or to `\"snapcast\"` with an address as `device`; "
                + "refused where it can't be opened, and then nothing changes.",
            kind: .output, .required("backend", .short), .optional("device", .short),
            make: Machine.Action.output(backend:device:)),
        Verb(
            "room", "Changes a room of the Snapcast server; what is missing stays as it is.", kind: .output,
            .required("room", .short), .optional("volume", .whole(0...100)), .optional("mute", .flag),
            .optional("stream", .short), make: Machine.Action.room(_:volume:isMuted:stream:)),
        Verb(
            "osc", "Takes OSC on that port from now on; `null` for none.", kind: .output,
            .required("port", .port, missing: "a UDP port, or null for none"), make: Machine.Action.osc(port:)),
        Verb(
            "oscAllow", "Lets an address, or a range as `192.168.1.0/24`, play by OSC, or no longer.", kind: .output,
            .required("address", .address), .standard("on", .flag, true),
            make: Machine.Action.oscAllow(_:isAllowed:)),
        Verb(
            "links",
            "Tells the links that open the page: the `result` has `play` and `watch`, and each as a QR code in `playCode` and "
                + "`watchCode`: a text of zeros and ones for each row, without the quiet zone.",
            kind: .output,
            make: { .links(renewed: false) }),
        Verb(
            "newLinks",
            "Tells them made anew: the old ones open nothing any more, and pages that came with them are closed.",
            kind: .output, make: { .links(renewed: true) }),
    ]

    private static let byWord = Dictionary(verbs.map { ($0.facts.word, $0) }, uniquingKeysWith: { $1 })

    /// Reads an action; `nil` where it is one of the session's.
    init?(_ value: JSONValue) throws(ServerError) {
        guard case .object(let values) = value, case .string(let word)? = values["do"],
            let verb = Machine.Action.byWord[word]
        else { return nil }
        do throws(SessionError) {
            self = try verb.read(value, source: "action")
        } catch {
            guard case .value(_, let key, let expected, _) = error else { throw .refused("\(error)") }
            throw .refused("action.\(key): expected \(expected)")
        }
    }
}

extension ValueType where Value == String {
    /// A text that is passed on.
    fileprivate static var short: ValueType { text(atMost: 1_000) }
}

extension ValueType where Value == AddressRange {
    /// An address, or a range of them.
    fileprivate static var address: ValueType {
        named(
            "an address or a range as 192.168.1.0/24", examples: ["192.168.1.0/24"], { AddressRange($0) }, \.description
        )
    }
}

extension ValueType where Value == Int? {
    /// A UDP port; `null` for none.
    fileprivate static var port: ValueType {
        ValueType<Int>.whole(0...65_535).orNone("none")
    }
}
