import BarlineEngine
import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// The clock of an engine while its device is lost: renders, without output, at the pace of the monotonic clock.
struct FallbackOutput: Sendable {
    private let device: NullDevice
    private let source: RenderSource

    /// The block size in frames: small, so that a recovered device takes over soon.
    private static let blockFrames = 256

    /// Starts where the lost device ended, and catches up with the clock.
    ///
    /// - Parameters:
    ///   - engine: the engine to render.
    ///   - names: the names of its buses.
    ///   - end: the time up to which it was rendered; `nil` if it was not.
    /// - Throws: ``OutputError`` if its thread can't be started.
    init(_ engine: Engine, busNames names: [String], since end: HostTime?) throws(OutputError) {
        engine.rejoin()
        let rate = engine.sampleRate
        // A device of another rate may just have failed to start.
        engine.setSampleRate(rate)
        device = NullDevice(sampleRate: rate, blockFrames: FallbackOutput.blockFrames, since: end)
        source = RenderSource(engine: engine, busNames: names, isAudible: false)
        try device.start(source)
    }

    /// The number of frames rendered.
    var renderedFrames: Int64 { source.gate.pointee.renderedFrames }

    /// Stops it.
    ///
    /// - Returns: the time up to which it has rendered.
    func end() -> HostTime? {
        device.close()
        defer { source.release() }
        return source.gate.pointee.end(at: device.format.sampleRate)
    }
}

extension OutputSupervisor {
    /// Continues the engine without a device, from where the lost one ended.
    func startFallback(since end: HostTime?) {
        guard timeouts.continuesByClock, state.withLock({ $0.fallback == nil }) else { return }
        let names = state.withLock { $0.busNames }
        let fallback = try? FallbackOutput(engine, busNames: names, since: end)
        state.withLock {
            $0.fallback = fallback
            assert($0.checkInvariants(), "the clock stands in for a device only where there is none")
        }
    }

    /// Stops the stand-in for a device.
    ///
    /// - Returns: the time up to which it has rendered; `nil` if there was none.
    func endFallback() -> HostTime? {
        let fallback = state.withLock { state in
            defer { state.fallback = nil }
            return state.fallback
        }
        guard let fallback else { return nil }
        let end = fallback.end()
        state.withLock { $0.framesBefore += fallback.renderedFrames }
        return end
    }

    /// Hands the engine over to a started device once that requests blocks, from where its stand-in ends.
    func handOver(to source: RenderSource, at rate: SampleRate) {
        let deadline = Date(timeIntervalSinceNow: timeouts.firstBlock)
        while source.gate.pointee.callCount == 0, deadline.timeIntervalSinceNow > 0, !worker.shouldEnd {
            AudioThread.poll()
        }
        let end = endFallback()
        // Wait until frames already rendered are in the past.
        if let end {
            let ahead = Double(end.rawValue - rt_monotonic_nanoseconds()) * 1e-9
            if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
        }
        engine.rejoin()
        source.gate.pointee.open(since: end, at: rate)
    }
}
