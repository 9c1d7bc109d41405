/// Which stem is heard in each place, and how loud, frame by frame, computed from a list of changes alone.
struct ReferencePlaces {
    /// A stem in a place from a frame on.
    private struct Stay {
        let place: Int
        let stem: SampleStem
        let enters: Int
        let fadesIn: Bool
        var leaves = Int.max

        func weight(_ frame: Int, fade: Int) -> Double {
            func entering(_ frame: Int) -> Double { fadesIn ? min(1, Double(frame - enters) / Double(fade)) : 1 }
            if frame < enters { return 0 }
            if frame < leaves { return entering(frame) }
            return entering(leaves) * max(0, 1 - Double(frame - leaves) / Double(fade))
        }
    }

    private let fade: Int
    private var stays: [Stay]

    init(_ stems: [SampleStem], fade: Int) {
        self.fade = fade
        stays = stems.enumerated().map { Stay(place: $0.offset, stem: $0.element, enters: 0, fadesIn: false) }
    }

    /// Puts a stem, or none, in a place; while the stems play it comes in over a fade.
    mutating func set(_ stem: SampleStem?, in place: Int, at frame: Int, isPlaying: Bool) {
        for index in stays.indices where stays[index].place == place && stays[index].leaves == .max {
            stays[index].leaves = frame
        }
        if let stem { stays.append(Stay(place: place, stem: stem, enters: frame, fadesIn: isPlaying)) }
    }

    /// What is heard at `frame`: stems and their weights.
    func sounding(at frame: Int) -> [(stem: SampleStem, weight: Double)] {
        stays.compactMap { stay in
            let weight = stay.weight(frame, fade: fade)
            return weight > 0 ? (stay.stem, weight) : nil
        }
    }
}
