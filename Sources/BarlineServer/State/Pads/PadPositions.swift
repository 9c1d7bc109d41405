import BarlineEngine
import BarlineSession
import NIOCore

extension PadsPart: PublishedPart {
    static var stateKey: String { "pads" }

    static func facts() -> any PartFacts { PadFacts() }

    static func positions(_ player: SessionPlayer) -> any PartPositions { PadPositions(player) }
}

/// The level of the pads, and what sounds of each.
private struct PadPositions: PartPositions {
    /// The session's pads; `nil` for those that could not be loaded.
    private let pads: [PadHandle?]

    init(_ player: SessionPlayer) {
        let bindings = player.pads
        pads = player.document.pads.map { bindings[$0.id]?.handle }
    }

    var isEmpty: Bool { pads.isEmpty }

    var size: Int { 24 + 16 * pads.count }

    func write(_ state: EngineState, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(clamping: pads.count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        buffer.write(state.padStrip.meter)
        buffer.writeFlags(state.padStrip)
        buffer.writeInteger(UInt32(0), endianness: .little)
        let states = state.pads
        for handle in pads {
            let pad = handle.map { states[$0.rawValue] }
            buffer.writeInteger(UInt32(truncatingIfNeeded: pad?.hits ?? 0), endianness: .little)
            buffer.writeInteger(UInt16(clamping: pad?.voices ?? 0), endianness: .little)
            buffer.writeInteger(UInt16(clamping: pad?.waiting ?? 0), endianness: .little)
            buffer.write(pad?.velocity ?? 0)
            buffer.write(pad?.progress ?? 0)
        }
    }
}
