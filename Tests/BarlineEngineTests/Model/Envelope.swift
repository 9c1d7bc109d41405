/// A level that moves in straight lines between frames.
struct Envelope {
    private var knots: [(frame: Int, level: Double)]

    init(_ level: Double, at frame: Int) { knots = [(frame, level)] }

    /// A rise from silence at `frame` over `frames`.
    static func rise(at frame: Int, over frames: Int) -> Envelope {
        var envelope = Envelope(0, at: frame)
        envelope.ramp(to: 1, at: frame, over: frames)
        return envelope
    }

    func level(at frame: Int) -> Double {
        guard let next = knots.firstIndex(where: { $0.frame > frame }) else { return knots[knots.count - 1].level }
        if next == 0 { return knots[0].level }
        let (from, to) = (knots[next - 1], knots[next])
        return from.level + (to.level - from.level) * Double(frame - from.frame) / Double(to.frame - from.frame)
    }

    mutating func ramp(to level: Double, at frame: Int, over frames: Int) {
        let now = self.level(at: frame)
        knots.removeAll { $0.frame >= frame }
        knots.append((frame, now))
        if frames > 0 { knots.append((frame + frames, level)) } else { knots[knots.count - 1].level = level }
    }
}
