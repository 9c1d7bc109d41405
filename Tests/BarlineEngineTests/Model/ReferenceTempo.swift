import Foundation

/// The tempo rules of the specification, restated: beats against frames, piece by piece.
struct ReferenceTempo {
    struct Piece {
        var frame: Double
        var beat: Double
        var from: Double
        var to: Double
        var ramp: Double
        var framesPerMinute: Double

        /// BPM gained a quarter note while the ramp lasts.
        private var slope: Double { (to - from) / ramp }
        private var isRamp: Bool { ramp > 0 && abs(to - from) > 1e-9 }

        func minutes(beats: Double) -> Double {
            if !isRamp { return beats / to }
            if beats < 0 { return beats / from }
            if beats > ramp { return log1p(slope * ramp / from) / slope + (beats - ramp) / to }
            return log1p(slope * beats / from) / slope
        }

        func beats(minutes: Double) -> Double {
            if !isRamp { return minutes * to }
            if minutes < 0 { return minutes * from }
            let rampMinutes = log1p(slope * ramp / from) / slope
            if minutes > rampMinutes { return ramp + (minutes - rampMinutes) * to }
            return from * expm1(slope * minutes) / slope
        }

        func tempo(beats: Double) -> Double {
            if !isRamp || beats >= ramp { return to }
            return beats <= 0 ? from : from + slope * beats
        }
    }

    private(set) var pieces: [Piece]

    init(frame: Int, beat: Double, tempo: Double, rate: Double) {
        pieces = [
            Piece(frame: Double(frame), beat: beat, from: tempo, to: tempo, ramp: 0, framesPerMinute: 60 * rate)
        ]
    }

    /// How far below a half a position still counts as one. Another number than the engine's would be another rule: of
    /// the events of a day one lies between 2⁻²⁰ and a millionth of a frame below a half.
    static let margin = 0x1p-20

    /// The whole frame nearest to an exact position; a half is the later one.
    static func nearest(_ position: Double) -> Int { Int(floor(position + (0.5 + margin))) }

    /// The first whole frame that is not before an exact position.
    static func atOrAfter(_ position: Double) -> Int { Int((position - margin).rounded(.up)) }

    private func piece(atFrame frame: Int) -> Piece { pieces.last { $0.frame <= Double(frame) } ?? pieces[0] }

    func beat(at frame: Int) -> Double {
        let piece = piece(atFrame: frame)
        return piece.beat + piece.beats(minutes: (Double(frame) - piece.frame) / piece.framesPerMinute)
    }

    func exactFrame(of beat: Double) -> Double {
        let piece = pieces.last { $0.beat <= beat } ?? pieces[0]
        return piece.frame + piece.framesPerMinute * piece.minutes(beats: beat - piece.beat)
    }

    func frame(of beat: Double) -> Int { ReferenceTempo.nearest(exactFrame(of: beat)) }

    func tempo(at frame: Int) -> Double {
        let piece = piece(atFrame: frame)
        return piece.tempo(beats: beat(at: frame) - piece.beat)
    }

    mutating func change(at frame: Int, to tempo: Double, ramp: Double) {
        let old = piece(atFrame: frame)
        let next = Piece(
            frame: Double(frame), beat: beat(at: frame), from: self.tempo(at: frame), to: tempo, ramp: ramp,
            framesPerMinute: old.framesPerMinute)
        pieces.removeAll { $0.frame >= Double(frame) }
        pieces.append(next)
    }

    mutating func changeRate(at frame: Int, to rate: Double) {
        let old = piece(atFrame: frame)
        let beat = beat(at: frame)
        let next = Piece(
            frame: Double(frame), beat: beat, from: tempo(at: frame), to: old.to,
            ramp: max(0, old.ramp - (beat - old.beat)), framesPerMinute: 60 * rate)
        pieces.removeAll { $0.frame >= Double(frame) }
        pieces.append(next)
    }
}
