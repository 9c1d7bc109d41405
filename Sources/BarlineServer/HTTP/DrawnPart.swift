import BarlineFiles
import BarlineSession

/// A part of the session whose files have waveforms.
protocol DrawnPart: SessionPart {
    /// The key of a request that names one.
    static var waveformKey: String { get }

    /// The file of one; `nil` where there is none.
    static func audio(_ id: String, _ player: SessionPlayer) -> AudioClip?
}

extension SessionParts {
    static let drawn: [any DrawnPart.Type] = all.compactMap { $0 as? any DrawnPart.Type }
}
