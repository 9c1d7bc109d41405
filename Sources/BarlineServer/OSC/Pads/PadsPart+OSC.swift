import BarlineSession

extension PadsPart: AddressedPart {
    static let named = ["hit": (name: "pad", value: "velocity")]

    static func message(of event: [String: JSONValue]) -> OSCMessage? {
        guard event["event"] == "padHit", case .string(let pad)? = event["pad"],
            case .number(let velocity)? = event["velocity"]
        else { return nil }
        return OSCMessage(address: "/barline/pad", arguments: [.text(pad), .number(velocity)])
    }
}
