import BarlineTime

/// A hit that waits for its boundary.
struct PadHit: BitwiseCopyable {
    let pad: Int
    let velocity: Double
    let quantization: Quantization
    /// Its position on the grid.
    let point: GridPoint

    @_noLocks init(pad: Int, velocity: Double, quantization: Quantization, point: GridPoint) {
        self.pad = pad
        self.velocity = velocity
        self.quantization = quantization
        self.point = point
    }

    /// The frame of its boundary on the current timeline.
    @_noLocks func frame(_ timeline: borrowing Timeline) -> FrameTime {
        timeline.tempo.frame(of: point.beat(in: timeline.metre))
    }
}
