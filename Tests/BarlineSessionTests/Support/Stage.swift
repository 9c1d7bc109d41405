import BarlineEngine
import BarlineSession

/// A live performance without a device: the test asks for the blocks.
final class Stage {
    let player: SessionPlayer
    /// What the main bus has played.
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []
    /// What the inputs give, one list a channel, from the first frame on.
    var inputs: [[Float]] = []
    /// What the last block brought.
    private(set) var events: [EngineEvent] = []

    /// The frames that the device has passed over so far, where it counts; repeated ones are below 0.
    var slips: Int64?

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
        let given = UnsafeMutablePointer<Float>.allocate(capacity: max(1, inputs.count * frames))
        let channels = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: max(1, inputs.count))
        defer {
            given.deallocate()
            channels.deallocate()
        }
        for (index, input) in inputs.enumerated() {
            for frame in 0..<frames {
                let place = left.count + frame
                (given + index * frames + frame).initialize(to: place < input.count ? input[place] : 0)
            }
            (channels + index).initialize(to: UnsafePointer(given + index * frames))
        }
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2 * buses, frames: frames)
        if let slips { block.deviceFrame = Int64(left.count) + slips }
        block.inputs = UnsafePointer(channels)
        block.inputCount = inputs.count
        player.engine.render(block)
        left += UnsafeBufferPointer(start: samples, count: frames)
        right += UnsafeBufferPointer(start: samples + frames, count: frames)
        events = takeEvents()
    }
}
