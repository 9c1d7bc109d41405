import BarlineDSP

/// A drum of the kit, as a pattern asks for it.
enum Drum: Sendable {
    /// A kick whose body is `weight` times the usual length.
    case kick(weight: Double)
    /// A snare drum.
    case snare
    /// A hand clap.
    case clap
    /// A hand drum at a MIDI pitch.
    case tom(pitch: Double)
    /// A closed hat.
    case closedHat
    /// An open hat.
    case openHat
    /// A shaker.
    case shaker
    /// A rim shot.
    case rim

    /// Paints one hit.
    func paint(_ canvas: inout LoopCanvas, _ placement: Placement, noise: inout SplitMix64) {
        switch self {
        case .kick(let weight): DrumVoices.kick(&canvas, placement, weight: weight, noise: &noise)
        case .snare: DrumVoices.snare(&canvas, placement, noise: &noise)
        case .clap: DrumVoices.clap(&canvas, placement, noise: &noise)
        case .tom(let pitch): DrumVoices.tom(&canvas, placement, pitch: pitch)
        case .closedHat: MetalVoices.hat(&canvas, placement, ring: 0.03, noise: &noise)
        case .openHat: MetalVoices.hat(&canvas, placement, ring: 0.12, noise: &noise)
        case .shaker: MetalVoices.shaker(&canvas, placement, noise: &noise)
        case .rim: MetalVoices.rim(&canvas, placement)
        }
    }
}

/// One drum's part in a pattern.
struct DrumLane: Sendable {
    /// Which drum.
    let drum: Drum
    /// A character to a sixteenth: `X` accented, `x` plain, `o` soft, `.` silent. Shorter than the loop, it repeats.
    let steps: String
    /// Its level in the kit.
    let level: Double
    /// Its place between the speakers.
    var pan = 0.0
    /// How much of it goes to the room.
    var send = 0.0
    /// The most a hit may stray from the grid, in seconds.
    var timingVariation = 0.0
    /// Seconds the whole lane leans early or late.
    var lean = 0.0

    /// Paints the lane on a canvas of its own.
    func paint(on canvas: inout LoopCanvas, random: inout SplitMix64) {
        let marks = Array(steps)
        guard !marks.isEmpty else { return }
        for step in 0..<canvas.beats * 4 {
            guard let velocity = DrumLane.velocity(marks[step % marks.count]) else { continue }
            let stray = random.centred() * timingVariation
            // A hit on the first beat that came early would lose its attack whenever the loop is launched.
            let nudge = lean + (step == 0 ? abs(stray) : stray)
            let touch = timingVariation > 0 ? 1 + 0.16 * random.centred() : 1
            let placement = Placement(beat: Double(step) / 4, nudge: nudge, gain: level * velocity * touch, pan: pan)
            drum.paint(&canvas, placement, noise: &random)
        }
    }

    private static func velocity(_ mark: Character) -> Double? {
        switch mark {
        case "X": 1
        case "x": 0.72
        case "o": 0.4
        default: nil
        }
    }
}
