import BarlineDSP
import BarlineEngine
import BarlineTime
import CRealtime
import Synchronization

/// The source of a device's audio: the engine, behind a gate that can be shut.
///
/// A device whose teardown hangs may still call back. Its gate is shut then, and it gets silence: an engine is never
/// rendered by two devices. The memory behind a source lives until `release()`, which is not called for such a device.
public struct RenderSource: @unchecked Sendable {
    /// The names of the engine's buses, the main one first.
    public let busNames: [String]
    /// The engine inputs that the device should supply.
    public let inputs: [DeviceInput]

    let engine: Engine
    let gate: UnsafePointer<RenderGate>

    /// - Parameters:
    ///   - engine: the engine to render.
    ///   - busNames: the names of its buses.
    ///   - inputs: the inputs that the device should supply.
    ///   - isOpen: whether it renders from the first block on; otherwise it delivers silence until it is opened.
    ///   - isAudible: whether voices are stolen before the device underruns.
    ///   - clock: returns the time in nanoseconds.
    init(
        engine: Engine, busNames: [String], inputs: [DeviceInput] = [], isOpen: Bool = true, isAudible: Bool = true,
        clock: @escaping RenderGate.Clock = rt_monotonic_nanoseconds
    ) {
        self.engine = engine
        self.busNames = busNames
        self.inputs = inputs
        let storage = UnsafeMutablePointer<RenderGate>.allocate(capacity: 1)
        storage.initialize(to: RenderGate(engine.realtimeHandle, isOpen: isOpen, isAudible: isAudible, clock: clock))
        gate = UnsafePointer(storage)
    }

    /// The pointer to pass to a C callback.
    public var realtimeGate: UnsafePointer<RenderGate> { gate }

    /// Renders a block, or silence if the gate is shut. For the device's thread; a C callback uses ``realtimeGate``.
    ///
    /// - Complexity: O(*n*) in the frames.
    @_noLocks public func render(_ block: AudioBlock) { gate.pointee.render(block) }

    /// Renders the next `frames` frames into `buffer`, from its first frame on.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func render(into buffer: RenderBuffer, frames: Int) {
        withExtendedLifetime(buffer) { render(buffer.block(frames: frames)) }
    }

    func release() {
        let storage = UnsafeMutablePointer(mutating: gate)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }
}

/// The audio thread's side of a ``RenderSource``.
public struct RenderGate: ~Copyable, @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let isShut: Atomic<Bool>
    private let isInside = Atomic<Bool>(false)
    private let rendered = Atomic<Int64>(0)
    private let next = Atomic<Int64>(0)
    private let xruns = Atomic<Int64>(0)
    private let calls = Atomic<Int64>(0)
    /// The time of the last block, in nanoseconds of the host's clock, and its length.
    private let lastTime = Atomic<Int64>(0)
    private let lastFrames = Atomic<Int64>(0)
    /// The time from which on missed frames are caught up with the first block; 0 for none.
    private let since = Atomic<Int64>(0)
    private let rate = Atomic<UInt64>(0)
    /// The load of the blocks.
    let meter = LoadMeter()
    private let clock: Clock
    /// Whether voices are stolen before the device underruns.
    private let isAudible: Bool
    /// State that the audio thread keeps from block to block.
    private let shedding: UnsafeMutablePointer<Shedding>

    /// A function that reads a clock, in nanoseconds.
    typealias Clock = @convention(c) () -> Int64

    /// The state of voice stealing, from block to block.
    private struct Shedding {
        var rule = SheddingRule()
        /// The share of the voices to steal with the next block.
        var part = 0.0
    }

    /// The most unheard blocks, each as long as the requested one, rendered at a time to catch up.
    private static var catchingUpBlocks: Int { @_noLocks get { 128 } }

    init(_ handle: UnsafeMutableRawPointer, isOpen: Bool, isAudible: Bool, clock: @escaping Clock) {
        self.handle = handle
        self.isAudible = isAudible
        self.clock = clock
        isShut = Atomic(!isOpen)
        shedding = .allocate(capacity: 1)
        shedding.initialize(to: Shedding())
    }

    deinit { shedding.deallocate() }

    /// The number of frames rendered through this gate; a device is alive as long as it advances.
    var renderedFrames: Int64 { @_noLocks get { rendered.load(ordering: .relaxed) } }

    /// The engine's frame behind the last block that was rendered through this gate.
    var nextFrame: Int64 { @_noLocks get { next.load(ordering: .relaxed) } }

    /// The number of blocks requested by the device.
    var callCount: Int64 { calls.load(ordering: .acquiring) }

    /// The time up to which it has rendered, at a sample rate; `nil` if it has not. Not while a callback is rendering.
    borrowing func end(at rate: SampleRate) -> HostTime? {
        let time = lastTime.load(ordering: .acquiring)
        if time == 0 { return nil }
        let length = Double(lastFrames.load(ordering: .relaxed)) / rate.hertz
        return HostTime(rawValue: time + HostTime.nanoseconds(length))
    }

    /// The number of xruns, as the device reports.
    var xrunCount: Int64 { xruns.load(ordering: .relaxed) }

    /// Renders a block, or silence if the gate is shut. For the device's callback.
    ///
    /// - Complexity: O(*n*) in the frames.
    @_noLocks public borrowing func render(_ block: AudioBlock) {
        isInside.store(true, ordering: .sequentiallyConsistent)
        if isShut.load(ordering: .sequentiallyConsistent) {
            for channel in 0..<block.outputCount {
                guard let samples = block.outputs[channel] else { continue }
                for frame in 0..<block.frames { samples[frame] = 0 }
            }
        } else {
            var block = block
            var time = rt_monotonic_nanoseconds()
            if let asked = block.hostTime { time = asked.rawValue }
            block.hostTime = HostTime(rawValue: time)
            let from = since.exchange(0, ordering: .acquiring)
            let hasCaughtUp = from != 0 && catchUp(block, from: from, to: time)
            renderMeasured(block)
            if hasCaughtUp { fadeIn(block) }
            next.store(RealtimeEngine.frame(handle), ordering: .relaxed)
            rendered.wrappingAdd(Int64(block.frames), ordering: .relaxed)
            lastFrames.store(Int64(block.frames), ordering: .relaxed)
            lastTime.store(time, ordering: .releasing)
        }
        calls.wrappingAdd(1, ordering: .releasing)
        isInside.store(false, ordering: .sequentiallyConsistent)
    }

    /// Renders a block, measures its load, and decides whether voices are stolen with the next one.
    @_noLocks private borrowing func renderMeasured(_ block: AudioBlock) {
        var block = block
        block.shedding = shedding.pointee.part
        let begin = rt_clock_read(clock)
        RealtimeEngine.render(handle, block)
        let taken = rt_clock_read(clock) - begin
        let seconds = Double(block.frames) / RealtimeEngine.deviceHertz(handle)
        if !(seconds > 0) { return }
        let load = meter.add(taken: taken, given: HostTime.nanoseconds(seconds))
        if isAudible { shedding.pointee.part = shedding.pointee.rule.part(after: load, seconds: seconds) }
    }

    /// Renders the frames between the end of the former device's rendering and the first block without output: the
    /// block itself takes its place.
    ///
    /// - Returns: whether there were any.
    @_noLocks private borrowing func catchUp(_ block: AudioBlock, from: Int64, to time: Int64) -> Bool {
        let rate = Double(bitPattern: self.rate.load(ordering: .relaxed))
        var missing = Int(Double(time - from) * 1e-9 * rate)
        if missing <= 0 { return false }
        for _ in 0..<RenderGate.catchingUpBlocks {
            if missing <= 0 { break }
            var piece = block
            piece.frames = missing < block.frames ? missing : block.frames
            piece.deviceFrame = nil
            // The audio of the inputs during that time is unknown.
            piece.inputs = nil
            piece.inputCount = 0
            piece.clock = nil
            piece.hostTime = HostTime(rawValue: time - HostTime.nanoseconds(Double(missing) / rate))
            RealtimeEngine.render(handle, piece)
            rendered.wrappingAdd(Int64(piece.frames), ordering: .relaxed)
            missing -= piece.frames
        }
        return true
    }

    /// Fades in the first audible block: over ``Ramp/fadeSeconds``, or over the block if that is shorter.
    @_noLocks private borrowing func fadeIn(_ block: AudioBlock) {
        let rate = Double(bitPattern: self.rate.load(ordering: .relaxed))
        var count = Int(rate * Ramp.fadeSeconds)
        if count > block.frames { count = block.frames }
        for channel in 0..<block.outputCount {
            guard let samples = block.outputs[channel] else { continue }
            for frame in 0..<count { samples[frame] *= Float(frame) / Float(count) }
        }
    }

    /// Counts an xrun.
    @_noLocks public borrowing func countXrun() { xruns.wrappingAdd(1, ordering: .relaxed) }

    /// Opens the gate from the next block on, which is preceded by the frames missed since `end`.
    borrowing func open(since end: HostTime?, at rate: SampleRate) {
        self.rate.store(rate.hertz.bitPattern, ordering: .relaxed)
        since.store(end?.rawValue ?? 0, ordering: .relaxed)
        isShut.store(false, ordering: .sequentiallyConsistent)
    }

    borrowing func shut() { isShut.store(true, ordering: .sequentiallyConsistent) }

    /// Whether a callback is rendering right now.
    var isBusy: Bool { isInside.load(ordering: .sequentiallyConsistent) }
}
