import BarlineEngine
import BarlineTime
import CRealtime
import Synchronization

/// Where a device gets its audio: the engine, behind a gate that can be shut.
///
/// A device whose teardown hangs may still call back. Its gate is shut then, and it gets silence: an engine is never
/// rendered by two devices. The memory behind a source lives until `release()`, which is left out for such a device.
public struct RenderSource: @unchecked Sendable {
    /// The names of the engine's buses, the main one first.
    public let busNames: [String]

    let engine: Engine
    let gate: UnsafePointer<RenderGate>

    init(engine: Engine, busNames: [String]) {
        self.engine = engine
        self.busNames = busNames
        let storage = UnsafeMutablePointer<RenderGate>.allocate(capacity: 1)
        storage.initialize(to: RenderGate(engine.realtimeHandle))
        gate = UnsafePointer(storage)
    }

    /// What a C callback is given.
    public var realtimeGate: UnsafePointer<RenderGate> { gate }

    func release() {
        let storage = UnsafeMutablePointer(mutating: gate)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }
}

/// The audio thread's side of a ``RenderSource``.
public struct RenderGate: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let isShut = Atomic<Bool>(false)
    private let isInside = Atomic<Bool>(false)
    private let rendered = Atomic<Int64>(0)
    private let xruns = Atomic<Int64>(0)

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// Frames rendered through this gate; a device lives as long as they advance.
    public var renderedFrames: Int64 { rendered.load(ordering: .relaxed) }

    /// Blocks that came too late, as the device tells.
    public var xrunCount: Int64 { xruns.load(ordering: .relaxed) }

    /// Renders a block, or silence where the gate is shut. For the device's callback.
    public borrowing func render(_ block: AudioBlock) {
        isInside.store(true, ordering: .sequentiallyConsistent)
        if isShut.load(ordering: .sequentiallyConsistent) {
            for channel in 0..<block.outputCount {
                block.outputs[channel]?.update(repeating: 0, count: block.frames)
            }
        } else {
            var block = block
            if block.hostTime == nil { block.hostTime = HostTime(rawValue: rt_monotonic_nanoseconds()) }
            Engine.render(handle, block)
            rendered.wrappingAdd(Int64(block.frames), ordering: .relaxed)
        }
        isInside.store(false, ordering: .sequentiallyConsistent)
    }

    /// Counts a block that came too late.
    public borrowing func countXrun() { xruns.wrappingAdd(1, ordering: .relaxed) }

    borrowing func shut() { isShut.store(true, ordering: .sequentiallyConsistent) }

    /// Whether a callback is rendering right now.
    var isBusy: Bool { isInside.load(ordering: .sequentiallyConsistent) }
}
