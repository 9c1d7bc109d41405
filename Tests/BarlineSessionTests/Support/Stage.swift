import BarlineEngine
import BarlineSession

/// A live performance without a device: the test asks for the blocks.
final class Stage {
    let player: SessionPlayer
    /// What the main bus has played.
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []
    /// What the last block brought.
    private(set) var events: [EngineEvent] = []

    /// Takes what a block has brought.
    var takeEvents: () -> [EngineEvent]

    init(_ player: SessionPlayer) {
        self.player = player
        takeEvents = player.takeEvents
    }

    /// Plays the next block.
    func play(_ frames: Int) {
        let buses = player.engine.configuration.busCount
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(1, 2 * buses * frames))
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2 * buses)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<2 * buses { (pointers + channel).initialize(to: samples + channel * frames) }
        player.engine.render(
            AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2 * buses, frames: frames))
        left += UnsafeBufferPointer(start: samples, count: frames)
        right += UnsafeBufferPointer(start: samples + frames, count: frames)
        events = takeEvents()
    }
}
