import BarlineEngine
import BarlineTime
import Foundation
import Logging
import Synchronization

/// Keeps an engine playing: starts a device, detects its loss, and opens another one as soon as possible.
///
/// Whether a device is alive follows from its frame counter. While there is none, the engine continues by the monotonic
/// clock, so that its beats stay in sync with other players; a recovered device takes over there, faded in.
public final class OutputSupervisor: Sendable {
    /// The status of the output.
    public enum Status: Hashable, Sendable {
        /// A device requests frames.
        case running
        /// The device was lost; `attempts` to open another one have failed.
        case lost(attempts: Int)
        /// ``stop()`` was called.
        case stopped
    }

    /// The timeouts of a supervisor, in seconds.
    public struct Timeouts: Sendable {
        /// The time without a frame after which a device is lost.
        public var stall = 2.0
        /// The time after which a teardown is abandoned.
        public var teardown = 2.0
        /// The pause between the first attempts to reopen; doubles each time.
        public var firstRetry = 0.25
        /// The longest pause between attempts.
        public var longestRetry = 1.0
        /// How long a device may take to request its first block, before the engine is handed over regardless.
        var firstBlock = 1.0
        /// Whether the engine continues by the clock while there is no device.
        public var continuesByClock = true
        /// The pause between the first searches for something better than a temporary output; doubles each time.
        public var firstSearch = 1.0
        /// The longest pause between searches.
        public var longestSearch = 2.0

        /// Creates the default timeouts.
        public init() {}
    }

    /// The current device and its state.
    struct State {
        var device: any OutputDevice
        /// The device's render source; `nil` while there is no device.
        var source: RenderSource?
        var status = Status.running
        var framesBefore: Int64 = 0
        var xrunsBefore: Int64 = 0
        var window = LoadWindow()
        var account = Account()
        /// The names of the engine's buses.
        var busNames: [String]
        /// The engine inputs that the device should supply.
        var inputs: [DeviceInput]
        /// Opens another device when this one is lost.
        var open: Opening
        /// Renders the engine while there is no device.
        var fallback: FallbackOutput?
        /// A device that is about to take over.
        var successor: Successor?
        /// Whether the device plays only until there is a better one.
        var isTemporary = false
        /// The number of device switches requested.
        var takes = 0

        /// Whether the output runs where a device has the engine and only there, no fallback renders for such a device,
        /// and nothing is to take over when all is over.
        func checkInvariants() -> Bool {
            (status == .running) == (source != nil) && (source == nil || fallback == nil)
                && !(status == .stopped && successor != nil) && framesBefore >= 0 && xrunsBefore >= 0
        }
    }

    /// A device that is about to take over.
    struct Successor {
        /// The device; `nil` if it can be opened only once the current one is closed.
        let device: (any OutputDevice)?
        let open: Opening
        let done: @Sendable (OutputError?) -> Void
    }

    /// Opens a device.
    public typealias Opening = @Sendable () throws(OutputError) -> any OutputDevice

    let logger = Logger(label: "barline.output")
    let engine: Engine
    let timeouts: Timeouts
    let state: Mutex<State>
    let worker = Worker("barline-output")

    /// Starts `device` and supervises it. The engine continues at the device's sample rate from its next block on.
    ///
    /// - Parameters:
    ///   - device: an open device.
    ///   - engine: the engine that it plays.
    ///   - busNames: the names of the engine's buses.
    ///   - inputs: the engine inputs that the device should supply, if it can.
    ///   - timeouts: the timeouts.
    ///   - open: opens another device when this one is lost.
    /// - Throws: ``OutputError`` if the device can't be started.
    public init(
        _ device: any OutputDevice, engine: Engine, busNames: [String], inputs: [DeviceInput] = [],
        timeouts: Timeouts = Timeouts(),
        reopenWith open: @escaping Opening
    ) throws(OutputError) {
        self.engine = engine
        self.timeouts = timeouts
        // The engine may have been created at another rate, and commands may have been sent meanwhile.
        engine.setSampleRate(device.format.sampleRate)
        let source = RenderSource(
            engine: engine, busNames: busNames, inputs: inputs, isAudible: !(device is NullDevice))
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

    // MARK: Status

    /// The status of the output.
    public var status: Status { state.withLock { $0.status } }
    /// The format of the current or last device. Its latency includes that of the engine's limiter.
    public var format: OutputFormat {
        var format = state.withLock { $0.device.format }
        format.latency += Double(engine.outputLatency) / format.sampleRate.hertz
        return format
    }
    /// The number of xruns, over all devices.
    public var xrunCount: Int64 { state.withLock { $0.xrunsBefore + ($0.source?.gate.pointee.xrunCount ?? 0) } }
    /// The load over the last ten seconds; `nil` if there were no blocks.
    public var load: OutputLoad? { state.withLock { $0.window.load } }
    /// The number of frames rendered, over all devices.
    package var renderedFrames: Int64 {
        state.withLock {
            $0.framesBefore + ($0.source?.gate.pointee.renderedFrames ?? 0) + ($0.fallback?.renderedFrames ?? 0)
        }
    }

    /// Stops the output; returns when no device can render the engine any more.
    public func stop() { worker.end() }

    /// The interval at which the device is checked, in seconds.
    private static let lookSeconds = 0.1

    // MARK: Watching

    private func watch() {
        var lastFrames: Int64 = -1
        var lastProgress = Date()
        var started = Date()
        var wait = 0.0
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
                started = lastProgress
                wait = 0
                continue
            }
            if !isLost { state.withLock { $0.device }.attend() }
            if frames != lastFrames {
                lastFrames = frames
                lastProgress = Date()
            }
            if isLost || -lastProgress.timeIntervalSinceNow > timeouts.stall {
                // One that is there and lost again at once, as a server that hangs up is, would be reopened without end.
                let isBrief = -started.timeIntervalSinceNow < timeouts.longestRetry
                wait = isBrief ? min(max(2 * wait, timeouts.firstRetry), timeouts.longestRetry) : 0
                noteLoss()
                retire()
                reopen(after: wait)
                lastFrames = -1
                lastProgress = Date()
                started = lastProgress
            }
            worker.pause(since: seen, seconds: OutputSupervisor.lookSeconds)
        }
        retire()
        _ = endFallback()
        let waiting = state.withLock { state in
            let waiting = state.successor
            state.status = .stopped
            state.successor = nil
            assert(state.checkInvariants(), "nothing has the engine at the end")
            return waiting
        }
        waiting?.device?.close()
        waiting?.done(nil)
    }

    /// Shuts the device's gate and closes it, on another thread, waiting up to the teardown timeout.
    func retire() {
        let retired = state.withLock { state -> (any OutputDevice, RenderSource)? in
            state.status = .lost(attempts: 0)
            guard let source = state.source else { return nil }
            state.source = nil
            state.window = LoadWindow()
            state.framesBefore += source.gate.pointee.renderedFrames
            state.xrunsBefore += source.gate.pointee.xrunCount
            assert(state.checkInvariants(), "a device that is lost has the engine no longer")
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
        while source.gate.pointee.isBusy { AudioThread.poll() }
        if !worker.shouldEnd { startFallback(since: source.gate.pointee.end(at: device.format.sampleRate) ?? end) }
        if isClosed.wait(timeout: .now() + timeouts.teardown) == .success {
            source.release()
        } else {
            // Its callback may still run: the gate's memory is leaked on purpose.
            logger.warning("teardown hangs and is given up on", metadata: ["seconds": "\(timeouts.teardown)"])
        }
    }

    func reopen(after pause: Double = 0) {
        var wait = timeouts.firstRetry
        var attempts = 0
        if !pauseUnlessChosen(seconds: pause) { return }
        while !worker.shouldEnd {
            if let (device, source) = try? openNext() {
                state.withLock {
                    $0.device = device
                    $0.source = source
                    $0.status = .running
                    assert($0.checkInvariants(), "one that is back has the engine alone")
                }
                noteReturn(isChosen: false)
                logger.notice("playing", metadata: ["device": "\(device.format.name)", "attempts": "\(attempts)"])
                return
            }
            attempts += 1
            state.withLock { $0.status = .lost(attempts: attempts) }
            if !pauseUnlessChosen(seconds: wait) { return }
            wait = min(2 * wait, timeouts.longestRetry)
        }
    }

    /// Waits; `false`, and at once, where a device was chosen meanwhile, which is open already.
    private func pauseUnlessChosen(seconds: Double) -> Bool {
        let until = Date(timeIntervalSinceNow: seconds)
        while true {
            let seen = worker.wakeCount
            let left = until.timeIntervalSinceNow
            if left <= 0 || worker.shouldEnd { return true }
            if state.withLock({ $0.successor != nil }) { return false }
            worker.pause(since: seen, seconds: left)
        }
    }

    private func openNext() throws(OutputError) -> (any OutputDevice, RenderSource) {
        let device = try state.withLock { $0.open }()
        return (device, try begin(device))
    }

    func begin(_ device: any OutputDevice) throws(OutputError) -> RenderSource {
        let (names, inputs, hasFallback) = state.withLock { ($0.busNames, $0.inputs, $0.fallback != nil) }
        // At another sample rate, the stand-in ends first: the engine has one rate at a time.
        let isSameRate = engine.sampleRate == device.format.sampleRate
        var end: HostTime?
        if !isSameRate { end = endFallback() }
        engine.setSampleRate(device.format.sampleRate)
        let waits = hasFallback && isSameRate
        if !waits { engine.rejoin() }
        let source = RenderSource(
            engine: engine, busNames: names, inputs: inputs, isOpen: !waits, isAudible: !(device is NullDevice))
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
