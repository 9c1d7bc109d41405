import BarlineEngine
import Foundation
import Synchronization

extension OutputSupervisor {
    /// Lets another device take over, which is opened first: where that can't be done, the one in use plays on.
    ///
    /// Everything goes on from the frame at which the old device ended, faded in. Returns when the other one plays; to be
    /// called where waiting is no harm.
    ///
    /// - Parameters:
    ///   - open: opens it, now and whenever it is lost.
    ///   - closesFirst: whether the one in use is closed before; where the other one can't be opened then, the one that
    ///     was in use is opened again.
    /// - Throws: ``OutputError`` where it can't be opened or started.
    public func change(to open: @escaping Opening, closingFirst closesFirst: Bool = false) throws(OutputError) {
        try take(closesFirst ? nil : open(), reopenWith: open)
    }

    /// Lets a device take over.
    ///
    /// - Parameters:
    ///   - device: the device; `nil` for what `open` opens when the one in use is closed.
    ///   - open: opens it whenever it is lost.
    ///   - isWanted: asked while nobody else chooses one: whether it is still to take over.
    /// - Throws: ``OutputError`` where it can't be opened or started.
    func take(
        _ device: (any OutputDevice)?, reopenWith open: @escaping Opening,
        where isWanted: (State) -> Bool = { _ in true }
    ) throws(OutputError) {
        let isDone = DispatchSemaphore(value: 0)
        let problem = Mutex<OutputError?>(nil)
        let successor = Successor(device: device, open: open) { error in
            problem.withLock { $0 = error }
            isDone.signal()
        }
        let former: Successor?
        let isTaken: Bool
        (former, isTaken) = state.withLock { state in
            // A supervisor that has ended has nobody who takes it.
            guard state.status != .stopped, isWanted(state) else { return (nil, false) }
            defer {
                state.successor = successor
                state.isStopgap = false
                state.takes += 1
            }
            return (state.successor, true)
        }
        if !isTaken { return device?.close() ?? () }
        worker.wake()
        former?.device?.close()
        former?.done(.cannotStart(backend: "output", reason: "another one was chosen meanwhile"))
        isDone.wait()
        if let error = problem.withLock({ $0 }) { throw error }
    }

    /// Names the engine's buses anew: those that had no name get outputs, where the device can have more.
    ///
    /// - Parameter names: the names of all; those that were there come first.
    public func setBusNames(_ names: [String]) {
        let device = state.withLock { state -> (any OutputDevice)? in
            if state.busNames == names { return nil }
            state.busNames = names
            return state.source == nil ? nil : state.device
        }
        device?.addOutputs(names)
    }

    /// Whether the device in use gives what inputs have.
    public var givesInputs: Bool { state.withLock { $0.source != nil && $0.device.givesInputs } }

    /// Says anew what the device is to give: inputs that are new get ports, where the device can have more, and those of others go.
    public func setInputs(_ inputs: [DeviceInput]) {
        let device = state.withLock { state -> (any OutputDevice)? in
            if state.inputs == inputs { return nil }
            state.inputs = inputs
            return state.source == nil ? nil : state.device
        }
        device?.setInputs(inputs)
    }

    /// How late what the inputs give comes, as the device in use has it.
    public var inputLatencies: [InputLatency] {
        let device = state.withLock { $0.source == nil ? nil : $0.device }
        return device?.inputLatencies ?? []
    }

    /// Lets the device that waits take over, on the thread that watches.
    func takeOver() {
        let waiting = state.withLock { state in
            defer { state.successor = nil }
            return state.successor
        }
        guard let waiting else { return }
        retire()
        do throws(OutputError) {
            let device = if let opened = waiting.device { opened } else { try waiting.open() }
            let source = try begin(device)
            state.withLock { state in
                state.device = device
                state.source = source
                state.status = .running
                state.open = waiting.open
            }
            noteReturn(isChosen: true)
            logger.notice("changed", metadata: ["device": "\(device.format.name)"])
            waiting.done(nil)
        } catch {
            noteLoss()
            waiting.done(error)
            reopen()
        }
    }
}
