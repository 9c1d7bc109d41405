import BarlineEngine
import BarlineTime
import Foundation
import Logging
import Synchronization

/// Keeps an engine sounding: starts a device, notices when it is gone, and opens another one as soon as there is one.
///
/// Whether a device is alive follows from its frame counter. While there is none, the engine goes on by the monotonic clock,
/// so that beats stay where everybody else has them; when one is back, it takes over there, faded in.
public final class OutputSupervisor: Sendable {
    /// The status of the output.
    public enum Status: Hashable, Sendable {
        /// Frames are asked for.
        case running
        /// The device is gone; `attempts` to open another one have failed.
        case lost(attempts: Int)
        /// ``stop()`` was called.
        case stopped
    }

    /// The timeouts of a supervisor, in seconds.
    public struct Patience: Sendable {
        /// Without a frame for this long, a device is lost.
        public var stall = 2.0
        /// A teardown that takes longer is given up on.
        public var teardown = 2.0
        /// Between the first attempts to reopen; doubles each time.
        public var firstRetry = 0.25
        /// Between later attempts.
        public var longestRetry = 1.0
        /// How long a device may take to ask for its first block, before it gets the engine all the same.
        var firstBlock = 1.0
        /// Whether the engine goes on by the clock while there is no device.
        public var goesOn = true
        /// Between the first looks for something better than a stopgap; doubles each time.
        public var firstLook = 1.0
        /// Between later looks.
        public var longestLook = 2.0

        /// The usual patience.
        public init() {}
    }

    /// The device in use, and what is known of it.
    struct State {
        var device: any OutputDevice
        /// What the device renders; none while there is no device.
        var source: RenderSource?
        var status = Status.running
        var framesBefore: Int64 = 0
        var xrunsBefore: Int64 = 0
        var abandoned = 0
        var window = LoadWindow()
        var account = Account()
        /// The names of the engine's buses.
        var busNames: [String]
        /// What the device is to give.
        var inputs: [DeviceInput]
        /// Opens another device when this one is lost.
        var open: Opening
        /// What renders the engine while there is no device.
        var standIn: StandIn?
        /// A device that is to take over.
        var successor: Successor?
        /// Whether the device plays only until there is a better one.
        var isStopgap = false
        /// How often a device was to take over.
        var takes = 0
    }

    /// A device that takes over.
    struct Successor {
        /// The device; `nil` where it can be opened only when the one in use is closed.
        let device: (any OutputDevice)?
        let open: Opening
        let done: @Sendable (OutputError?) -> Void
    }

    /// Opens a device.
    public typealias Opening = @Sendable () throws(OutputError) -> any OutputDevice

    let logger = Logger(label: "barline.output")
    let engine: Engine
    let patience: Patience
    let state: Mutex<State>
    let worker = Worker("barline-output")

    /// Starts `device` and watches over it. The engine goes on at the device's sample rate from its next block on.
    ///
    /// - Parameters:
    ///   - device: an open device.
    ///   - engine: what it plays.
    ///   - busNames: the names of the engine's buses.
    ///   - inputs: what the device is to give, where it can.
    ///   - patience: when to give up.
    ///   - open: opens another device when this one is lost.
    /// - Throws: ``OutputError`` where the device can't be started.
    public init(
        _ device: any OutputDevice, engine: Engine, busNames: [String], inputs: [DeviceInput] = [],
        patience: Patience = Patience(),
        reopenWith open: @escaping Opening
    ) throws(OutputError) {
        self.engine = engine
        self.patience = patience
        // The engine may have been made for another rate, and commands have been sent meanwhile.
        engine.setSampleRate(device.format.sampleRate)
        let source = RenderSource(
            engine: engine, busNames: busNames, inputs: inputs, isHeard: !(device is NullDevice))
        do throws(OutputError) {
            try device.start(source)
        } catch {
            source.gate.pointee.shut()
            throw error
        }
        state = Mutex(State(device: device, source: source, busNames: busNames, inputs: inputs, open: open))
        logger.info("playing", metadata: ["device": "\(device.format.name)"])
        worker.start { [self] in watch() }
    }

    // MARK: What a display shows

    /// The status of the output.
    public var status: Status { state.withLock { $0.status } }
    /// The device in use, or the last one. Its latency has that of the engine's limiter in it.
    public var format: OutputFormat {
        var format = state.withLock { $0.device.format }
        format.latency += Double(engine.outputLatency) / format.sampleRate.hertz
        return format
    }
    /// Blocks that came too late, over all devices.
    public var xrunCount: Int64 { state.withLock { $0.xrunsBefore + ($0.source?.gate.pointee.xrunCount ?? 0) } }
    /// What blocks have taken of their time over the last ten seconds; `nil` where there was none.
    public var load: OutputLoad? { state.withLock { $0.window.load } }
    /// Frames rendered, over all devices.
    public var renderedFrames: Int64 {
        state.withLock {
            $0.framesBefore + ($0.source?.gate.pointee.renderedFrames ?? 0) + ($0.standIn?.renderedFrames ?? 0)
        }
    }
    /// Devices whose teardown was given up on.
    package var abandonedCount: Int { state.withLock { $0.abandoned } }

    /// Ends the output; returns when no device can render the engine any more.
    public func stop() { worker.end() }

    /// How often it is looked whether the device is lost, in seconds.
    private static let lookSeconds = 0.1

    // MARK: Watching

    private func watch() {
        var lastFrames: Int64 = -1
        var lastProgress = Date()
        while !worker.shouldEnd {
            let seen = worker.wakeCount
            let (isLost, frames) = state.withLock { ($0.device.isLost, $0.source?.gate.pointee.renderedFrames ?? 0) }
            state.withLock { state in
                if let source = state.source { state.window.look(source.gate.pointee.meter) }
            }
            if state.withLock({ $0.successor != nil }) {
                takeOver()
                lastFrames = -1
                lastProgress = Date()
                continue
            }
            if frames != lastFrames {
                lastFrames = frames
                lastProgress = Date()
            }
            if isLost || -lastProgress.timeIntervalSinceNow > patience.stall {
                noteLoss()
                retire()
                reopen()
                lastFrames = -1
                lastProgress = Date()
            }
            worker.pause(since: seen, seconds: OutputSupervisor.lookSeconds)
        }
        retire()
        _ = endStandIn()
        let waiting = state.withLock { state in
            state.status = .stopped
            defer { state.successor = nil }
            return state.successor
        }
        waiting?.device?.close()
        waiting?.done(nil)
    }

    /// Shuts the device's gate and closes it, off this thread, for as long as patience lasts.
    func retire() {
        let retired = state.withLock { state -> (any OutputDevice, RenderSource)? in
            state.status = .lost(attempts: 0)
            guard let source = state.source else { return nil }
            state.source = nil
            state.window = LoadWindow()
            state.framesBefore += source.gate.pointee.renderedFrames
            state.xrunsBefore += source.gate.pointee.xrunCount
            return (state.device, source)
        }
        guard let (device, source) = retired else { return }
        logger.notice("closing", metadata: ["device": "\(device.format.name)", "lost": "\(device.isLost)"])
        close(device, source)
    }

    private func close(_ device: any OutputDevice, _ source: RenderSource, since end: HostTime? = nil) {
        source.gate.pointee.shut()
        let isClosed = DispatchSemaphore(value: 0)
        NamedThread.start("barline-close") {
            device.close()
            isClosed.signal()
        }
        while source.gate.pointee.isBusy { Thread.sleep(forTimeInterval: 0.001) }
        if !worker.shouldEnd { standIn(since: source.gate.pointee.end(at: device.format.sampleRate) ?? end) }
        if isClosed.wait(timeout: .now() + patience.teardown) == .success {
            source.release()
        } else {
            // Its callback may still come: the gate's memory is left to it.
            state.withLock { $0.abandoned += 1 }
            logger.warning("teardown hangs and is given up on", metadata: ["seconds": "\(patience.teardown)"])
        }
    }

    func reopen() {
        var wait = patience.firstRetry
        var attempts = 0
        while !worker.shouldEnd {
            if let (device, source) = try? openNext() {
                state.withLock {
                    $0.device = device
                    $0.source = source
                    $0.status = .running
                }
                noteReturn(isChosen: false)
                logger.notice("playing", metadata: ["device": "\(device.format.name)", "attempts": "\(attempts)"])
                return
            }
            attempts += 1
            state.withLock { $0.status = .lost(attempts: attempts) }
            let until = Date(timeIntervalSinceNow: wait)
            while true {
                let seen = worker.wakeCount
                let left = until.timeIntervalSinceNow
                if left <= 0 || worker.shouldEnd { break }
                // What was chosen meanwhile is opened already.
                if state.withLock({ $0.successor != nil }) { return }
                worker.pause(since: seen, seconds: left)
            }
            wait = min(2 * wait, patience.longestRetry)
        }
    }

    private func openNext() throws(OutputError) -> (any OutputDevice, RenderSource) {
        let device = try state.withLock { $0.open }()
        return (device, try begin(device))
    }

    func begin(_ device: any OutputDevice) throws(OutputError) -> RenderSource {
        let (names, inputs, isStoodInFor) = state.withLock { ($0.busNames, $0.inputs, $0.standIn != nil) }
        // At another rate, what stands in for the device ends before: the engine has one rate at a time.
        let isSameRate = engine.state.sampleRate == device.format.sampleRate
        var end: HostTime?
        if !isSameRate { end = endStandIn() }
        engine.setSampleRate(device.format.sampleRate)
        let waits = isStoodInFor && isSameRate
        if !waits { engine.rejoin() }
        let source = RenderSource(
            engine: engine, busNames: names, inputs: inputs, isOpen: !waits, isHeard: !(device is NullDevice))
        if let end { source.gate.pointee.open(since: end, at: device.format.sampleRate) }
        do throws(OutputError) {
            try device.start(source)
        } catch {
            close(device, source, since: end)
            throw error
        }
        if waits { handOver(to: source, at: device.format.sampleRate) }
        return source
    }
}
