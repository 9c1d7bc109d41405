import BarlineEngine
import Foundation
import Synchronization

extension OutputSupervisor {
    /// Switches to another device, which is opened first: if that fails, the current one keeps playing.
    ///
    /// Everything continues from the frame at which the old device ended, faded in. Returns when the new device plays;
    /// to be called where blocking is acceptable.
    ///
    /// - Parameters:
    ///   - open: opens the device, now and whenever it is lost.
    ///   - closesFirst: whether the current device is closed first; if the new one can't be opened then, the former one
    ///     is reopened.
    /// - Throws: ``OutputError`` if it can't be opened or started.
    public func change(to open: @escaping Opening, closingFirst closesFirst: Bool = false) throws(OutputError) {
        try take(closesFirst ? nil : open(), reopenWith: open)
    }

    /// Switches to a device.
    ///
    /// - Parameters:
    ///   - device: the device; `nil` to call `open` once the current one is closed.
    ///   - open: opens it whenever it is lost.
    ///   - isWanted: called while no other switch is possible: whether to go ahead.
    /// - Throws: ``OutputError`` if it can't be opened or started.
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
            // A stopped supervisor has no thread to take it over.
            guard state.status != .stopped, isWanted(state) else { return (nil, false) }
            defer {
                state.successor = successor
                state.isTemporary = false
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

    /// Renames the engine's buses: new ones get outputs, if the device supports that.
    ///
    /// - Parameter names: the names of all buses; existing ones come first.
    /// - Complexity: O(*n*) in the buses.
    public func setBusNames(_ names: [String]) {
        let device = state.withLock { state -> (any OutputDevice)? in
            if state.busNames == names { return nil }
            state.busNames = names
            return state.source == nil ? nil : state.device
        }
        device?.addOutputs(names)
    }

    /// Whether the current device supplies the engine's inputs.
    public var givesInputs: Bool { state.withLock { $0.source != nil && $0.device.givesInputs } }

    /// Replaces the inputs that the device should supply: new inputs get ports, if the device supports that, and ports
    /// of removed ones are removed.
    ///
    /// - Complexity: O(*n*) in the channels of the inputs.
    public func setInputs(_ inputs: [DeviceInput]) {
        let device = state.withLock { state -> (any OutputDevice)? in
            if state.inputs == inputs { return nil }
            state.inputs = inputs
            return state.source == nil ? nil : state.device
        }
        device?.setInputs(inputs)
    }

    /// The latencies of the inputs, as reported by the current device.
    public var inputLatencies: [InputLatency] {
        let device = state.withLock { $0.source == nil ? nil : $0.device }
        return device?.inputLatencies ?? []
    }

    /// The name of what sends the engine's MIDI clock; `nil` if the current device has none.
    public var clockPort: String? { state.withLock { $0.source == nil ? nil : $0.device }?.clockPort }

    /// Performs a pending switch, on the watching thread.
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
                assert(state.checkInvariants(), "one that takes over has the engine alone")
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
