import BarlineTime

/// One synthesised loop of the demo set.
package struct DemoLoop: Sendable {
    /// A name that stays the same from version to version.
    package let id: String
    /// The name shown.
    package let name: String
    /// The id of its track.
    package let track: String
    /// Its slot, from 0: the scene it belongs to.
    package let slot: Int
    /// Its native tempo, in beats a minute.
    package let bpm: Double
    /// Its length in beats.
    package let beats: Int
    /// Frames a second.
    package let sampleRate: Int
    /// Its colour, as `#rrggbb`.
    package let color: String
    /// How its level is settled.
    let finish: Finish
    /// What paints it.
    let paint: @Sendable (inout LoopCanvas) -> Void

    /// Its length in frames. The tempos and rates of the set are chosen so that nothing is rounded away.
    package var frameCount: Int { Int((Tempo.seconds(of: Double(beats), at: bpm) * Double(sampleRate)).rounded()) }

    /// Renders the loop: two channels of exactly `frameCount` frames, seamless when repeated.
    package func render() -> (left: [Float], right: [Float]) {
        var canvas = LoopCanvas(frameCount: frameCount, beats: beats, tempo: bpm)
        paint(&canvas)
        finish.apply(to: &canvas)
        return (canvas.frames.map { Float($0.x) }, canvas.frames.map { Float($0.y) })
    }
}
