import BarlineSession

extension ServerRequests {
    /// The verbs, in the order in which they are listed.
    package static let verbs: [Verb<Action>] = [
        Verb(
            "osc", "Takes OSC on that port from now on; `null` for none.", kind: .output,
            .required("port", .port, missing: "a UDP port, or null for none"), make: Action.osc(port:)),
        Verb(
            "oscAllow", "Lets an address, or a range as `192.168.1.0/24`, play by OSC, or no longer.", kind: .output,
            .required("address", .address), .standard("on", .flag, true), make: Action.oscAllow(_:isAllowed:)),
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
