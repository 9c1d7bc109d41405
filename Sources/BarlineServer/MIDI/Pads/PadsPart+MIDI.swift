import BarlineSession
import BarlineTime

extension PadsPart: MIDINotePart {
    static func actions(ofNote note: Int, velocity: Double, in document: SessionDocument) -> [ScriptAction] {
        document.pads.filter { $0.note == note }.map {
            .pads(.hit(pad: $0.id, velocity: velocity, quantization: nil))
        }
    }

    static func waits(_ action: ScriptAction, in document: SessionDocument) -> Bool {
        guard case .hit(let id, _, let grid)? = action.ofPads else { return false }
        return (grid ?? document.pads.first { $0.id == id }?.quantization ?? Quantization.none) != .none
    }
}
