import BarlineEngine
import BarlineTime
import CRealtime

/// An output without a sound device: blocks are requested at the pace of the monotonic clock, and discarded.
///
/// While the engine is idle several are requested at a time, unless something is sent to it.
public final class NullDevice: OutputDevice {
    /// The format of the output.
    public let format: OutputFormat

    private let worker = Worker("barline-null")
    private let first: HostTime?

    /// How long the clock's thread sleeps while the engine is idle, in seconds.
    private static let restSeconds = 0.08
    /// The lag beyond which blocks are skipped, in nanoseconds: that of a suspend, not of a busy machine.
    private static let tolerance: Int64 = 100_000_000

    /// Opens an output at `sampleRate` with blocks of `blockFrames` frames.
    public convenience init(sampleRate: SampleRate = .standard, blockFrames: Int = 512) {
        self.init(sampleRate: sampleRate, blockFrames: blockFrames, since: nil)
    }

    /// Opens an output whose first block is for the time `start`: all blocks between then and now are requested at
    /// once.
    init(sampleRate: SampleRate, blockFrames: Int, since start: HostTime?) {
        first = start
        format = OutputFormat(
            backend: .null, name: "null (paced by the clock, not heard)", sampleRate: sampleRate,
            blockFrames: blockFrames,
            latency: Double(blockFrames) / sampleRate.hertz)
    }

    /// Always `false`: the clock is never lost.
    public var isLost: Bool { false }

    /// Starts requesting audio from `source`.
    public func start(_ source: RenderSource) throws(OutputError) {
        worker.start { [self] in run(source) }
    }

    private func run(_ source: RenderSource) {
        let activity = source.engine.activity
        let frames = format.blockFrames
        let buffer = RenderBuffer(busCount: source.busNames.count, frameCapacity: frames)
        AudioThread.requestPriority()
        var origin = first?.rawValue ?? rt_monotonic_nanoseconds()
        var isCatchingUp = first != nil
        var rendered: Int64 = 0
        var skipped: Int64 = 0
        while !worker.shouldEnd {
            let seen = activity.count
            var block = buffer.block(frames: frames)
            block.deviceFrame = skipped + rendered
            // A block is for the time at which the previous one ended, however late the thread wakes up.
            block.hostTime = HostTime(
                rawValue: origin + HostTime.nanoseconds(Double(rendered) / format.sampleRate.hertz))
            source.render(block)
            rendered += Int64(frames)
            let due = origin + HostTime.nanoseconds(Double(rendered) / format.sampleRate.hertz)
            let late = rt_monotonic_nanoseconds() - due
            if late <= 0 { isCatchingUp = false }
            if late > NullDevice.tolerance, !isCatchingUp {
                // After a suspend, missed blocks are skipped: a burst of them would not be real time.
                source.realtimeGate.pointee.countXrun()
                let time = rt_monotonic_nanoseconds()
                skipped += Int64(Double(time - origin) * 1e-9 * format.sampleRate.hertz)
                origin = time
                rendered = 0
            } else {
                if late < 0, source.engine.isAtRest {
                    activity.wait(since: seen, seconds: NullDevice.restSeconds)
                }
                // What is sent ends the rest, and does not make the clock run ahead.
                rt_sleep_until(due)
            }
        }
    }

    /// Closes it; returns when the clock's thread has ended.
    public func close() { worker.end() }
}
