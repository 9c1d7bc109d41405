import BarlineEngine
import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// The clock of an engine while its device is lost: it renders, unheard, at the pace of the monotonic clock.
struct StandIn: Sendable {
    private let device: NullDevice
    private let source: RenderSource

    /// The frames of a block: few, so that a device that is found takes over soon.
    private static let blockFrames = 256

    /// Begins where the device that is gone has ended, and catches up with the clock.
    ///
    /// - Parameters:
    ///   - engine: what is rendered.
    ///   - names: the names of its buses.
    ///   - end: the time up to which it was rendered; `nil` where nothing was.
    /// - Throws: ``OutputError`` where there is no thread for it.
    init(_ engine: Engine, busNames names: [String], since end: HostTime?) throws(OutputError) {
        engine.rejoin()
        let rate = engine.state.sampleRate
        device = NullDevice(sampleRate: rate, blockFrames: StandIn.blockFrames, since: end)
        source = RenderSource(engine: engine, busNames: names, isHeard: false)
        try device.start(source)
    }

    /// Frames that were rendered.
    var renderedFrames: Int64 { source.gate.pointee.renderedFrames }

    /// Ends it.
    ///
    /// - Returns: the time up to which it has rendered.
    func end() -> HostTime? {
        device.close()
        defer { source.release() }
        return source.gate.pointee.end(at: device.format.sampleRate)
    }
}

extension OutputSupervisor {
    /// Lets the engine go on without a device, from where the one that is gone has ended.
    func standIn(since end: HostTime?) {
        guard patience.goesOn, state.withLock({ $0.standIn == nil }) else { return }
        let names = state.withLock { $0.busNames }
        let standIn = try? StandIn(engine, busNames: names, since: end)
        state.withLock { $0.standIn = standIn }
    }

    /// Ends what stands in for a device.
    ///
    /// - Returns: the time up to which it has rendered; `nil` where there was none.
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

    /// Lets a device that was started have the engine, when it asks for blocks, from where what stood in for it ends.
    func handOver(to source: RenderSource, at rate: SampleRate) {
        let deadline = Date(timeIntervalSinceNow: patience.firstBlock)
        while source.gate.pointee.callCount == 0, deadline.timeIntervalSinceNow > 0, !worker.shouldEnd {
            Thread.sleep(forTimeInterval: 0.001)
        }
        let end = endStandIn()
        // What is rendered already is in the past when the device goes on.
        if let end {
            let ahead = Double(end.rawValue - rt_monotonic_nanoseconds()) * 1e-9
            if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
        }
        engine.rejoin()
        source.gate.pointee.open(since: end, at: rate)
    }
}
