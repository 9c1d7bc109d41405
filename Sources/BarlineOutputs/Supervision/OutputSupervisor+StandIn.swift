import BarlineEngine
import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// The clock of an engine while its device is lost: renders, without output, at the pace of the monotonic clock.
struct StandIn: Sendable {
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
        let rate = engine.state.sampleRate
        device = NullDevice(sampleRate: rate, blockFrames: StandIn.blockFrames, since: end)
        source = RenderSource(engine: engine, busNames: names, isHeard: false)
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
    func standIn(since end: HostTime?) {
        guard patience.goesOn, state.withLock({ $0.standIn == nil }) else { return }
        let names = state.withLock { $0.busNames }
        let standIn = try? StandIn(engine, busNames: names, since: end)
        state.withLock {
            $0.standIn = standIn
            assert($0.checkInvariants(), "the clock stands in for a device only where there is none")
        }
    }

    /// Stops the stand-in for a device.
    ///
    /// - Returns: the time up to which it has rendered; `nil` if there was none.
    func endStandIn() -> HostTime? {
        let standIn = state.withLock { state in
            defer { state.standIn = nil }
            return state.standIn
        }
        guard let standIn else { return nil }
        let end = standIn.end()
        state.withLock { $0.framesBefore += standIn.renderedFrames }
        return end
    }

    /// Hands the engine over to a started device once that requests blocks, from where its stand-in ends.
    func handOver(to source: RenderSource, at rate: SampleRate) {
        let deadline = Date(timeIntervalSinceNow: patience.firstBlock)
        while source.gate.pointee.callCount == 0, deadline.timeIntervalSinceNow > 0, !worker.shouldEnd {
            Thread.sleep(forTimeInterval: 0.001)
        }
        let end = endStandIn()
        // Wait until frames already rendered are in the past.
        if let end {
            let ahead = Double(end.rawValue - rt_monotonic_nanoseconds()) * 1e-9
            if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
        }
        engine.rejoin()
        source.gate.pointee.open(since: end, at: rate)
    }
}
