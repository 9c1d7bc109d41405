import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// The pads by identifier.
    public var pads: [String: PadBinding] { bound.withLock { $0.pads } }

    /// The document's identifier of one of the engine's pads; `nil` where it is gone.
    func padID(of handle: PadHandle) -> String? {
        bound.withLock { $0.pads.values.first { $0.handle == handle }?.document.id }
    }

    /// The name of one of the engine's pads.
    public func name(of pad: PadHandle) -> String {
        bound.withLock { $0.pads.values.first { $0.handle == pad }?.document.name ?? "" }
    }

    /// Brings the pads of a session that is opened to an engine that has none.
    static func loadPads(
        _ pads: PreparedPads, _ bound: inout BoundSession, engine: Engine, policy: Policy
    ) throws(SessionError) {
        for pad in pads.pads {
            do throws(SessionError) {
                let binding = try PadBinding(pad, over: nil, engine.sampler, path: bound.path)
                bound.pads[pad.document.id] = binding
            } catch {
                if policy == .strict { throw error }
                bound.pads[pad.document.id] = PadBinding(
                    document: pad.document, handle: nil, audio: nil, problem: error)
            }
        }
    }

    /// Makes the engine's pads those of the document. What sounds of a pad that is kept sounds on.
    func setPads(_ pads: PreparedPads, over old: BoundSession, _ new: inout BoundSession) {
        let kept = Set(new.document.pads.map(\.id))
        for (id, binding) in old.pads where !kept.contains(id) {
            new.pads[id] = nil
            guard let handle = binding.handle else { continue }
            attempt("pad \"\(id)\"", &new) { () throws(EngineError) in try engine.sampler.unload(handle) }
        }
        for pad in pads.pads {
            let before = old.pads[pad.document.id]
            do throws(SessionError) {
                let binding = try PadBinding(pad, over: before, engine.sampler, path: new.path)
                new.pads[pad.document.id] = binding
            } catch {
                if let handle = before?.handle { try? engine.sampler.unload(handle) }
                new.pads[pad.document.id] = PadBinding(document: pad.document, handle: nil, audio: nil, problem: error)
            }
        }
        let (before, after) = (old.document.padSet.strip, new.document.padSet.strip)
        set(after, before: before, of: .pads, key: "padSet", over: old, &new)
    }

    /// Finds the pad that an action names.
    func sending(
        _ action: PadAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> Sending {
        func pad(_ id: String) throws(SessionError) -> PadHandle {
            guard let binding = bound.pads[id] else { throw .unknown(path: source, key: "\(key).pad", id: id) }
            if let problem = binding.problem { throw problem }
            guard let handle = binding.handle else { throw .unknown(path: source, key: "\(key).pad", id: id) }
            return handle
        }
        let engine = engine
        switch action {
        case .hit(let id, let velocity, let grid):
            let pad = try pad(id)
            return { [self] frame throws(EngineError) in
                // Whoever records from now on begins where it has faded out.
                isBecomingQuiet.store(true, ordering: .relaxed)
                return try engine.sampler.trigger(pad, velocity: velocity, quantization: grid, at: frame)
            }
        case .choke(let id?):
            let pad = try pad(id)
            return { frame throws(EngineError) in try engine.sampler.stop(pad, at: frame) }
        case .choke(nil): return { frame throws(EngineError) in try engine.sampler.stopAll(at: frame) }
        }
    }
}
