import BarlineFiles
import BarlineSession

extension PadsPart: DrawnPart {
    static var waveformKey: String { "pad" }

    static func audio(_ id: String, _ player: SessionPlayer) -> AudioClip? { player.pads[id]?.audio }
}
