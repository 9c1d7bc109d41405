import BarlineEngine
import BarlineTime
import Foundation

/// An engine whose MIDI clock is listened to.
final class ClockListener {
    /// A message and the frame on which it was sent.
    struct Message: Hashable {
        let frame: Int
        let bytes: [UInt8]
    }

    let engine: Engine
    private(set) var frames = 0
    private(set) var messages: [Message] = []
    private let clock: UnsafeMutablePointer<MIDIClockBuffer>
    private let buffer: RenderBuffer

    init(_ engine: Engine) {
        self.engine = engine
        clock = .allocate(capacity: 1)
        clock.initialize(to: MIDIClockBuffer())
        buffer = RenderBuffer(busCount: 1, frameCapacity: 8_192)
    }

    deinit {
        clock.deinitialize(count: 1)
        clock.deallocate()
    }

    /// Renders up to a frame, in blocks.
    func render(to end: Int, _ plan: BlockPlan = .fixed(512), isHeard: Bool = true) {
        var random = TestRandom(seed: 0)
        if case .mixed(let seed) = plan { random = TestRandom(seed: seed) }
        while frames < end {
            let size: Int
            switch plan {
            case .fixed(let wanted): size = min(wanted, end - frames)
            case .mixed: size = min(random.pick([0, 1, 2, 63, 64, 65, 256, 257, random.int(1...3000)]), end - frames)
            }
            block(size, isHeard)
        }
    }

    private func block(_ size: Int, _ isHeard: Bool) {
        withExtendedLifetime(buffer) {
            var block = buffer.block(frames: size)
            if isHeard { block.clock = clock }
            engine.render(block)
        }
        while let message = clock.pointee.take(before: size) {
            messages.append(Message(frame: frames + message.offset, bytes: message.bytes))
        }
        clock.pointee.finish(frames: size)
        frames += size
    }

    /// The frames of all ticks from a frame on.
    func ticks(from first: Int = 0) -> [Int] {
        messages.filter { $0.bytes == [0xf8] && $0.frame >= first }.map(\.frame)
    }

    /// Everything but ticks.
    var others: [Message] { messages.filter { $0.bytes != [0xf8] } }
}

/// A machine that follows a MIDI clock: where in the song it takes itself to be, by the messages alone.
struct ClockedMachine {
    private(set) var isRunning = false
    /// The tick of the song that it plays with the next message of a tick.
    private var next = 0

    /// Takes a message.
    ///
    /// - Returns: the song's tick that it plays; `nil` if it plays none.
    mutating func take(_ bytes: [UInt8]) -> Int? {
        switch bytes[0] {
        case 0xf8 where isRunning:
            next += 1
            return next - 1
        case 0xfa: (isRunning, next) = (true, 0)
        case 0xfb: isRunning = true
        case 0xfc: isRunning = false
        case 0xf2 where !isRunning: next = 6 * (Int(bytes[1]) + 128 * Int(bytes[2]))
        default: break
        }
        return nil
    }
}
