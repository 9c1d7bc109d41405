import BarlineEngine
import BarlineTime
import Dispatch

/// An item that can't be opened before it may be.
final class GatedItem: PlaylistSource {
    private let item: SampleItem
    private let gate = DispatchSemaphore(value: 0)

    init(frames: Int) { item = SampleItem(noise: 9, frames: frames) }

    var sampleRate: SampleRate { item.sampleRate }
    var frameCount: Int64? { item.frameCount }

    func release() { gate.signal() }

    func open() throws -> sending any PlaylistReader {
        gate.wait()
        gate.signal()
        return try item.open()
    }
}
