import BarlineEngine
import BarlineFiles
import BarlineTime

extension SessionPlayer {
    /// The pads by identifier.
    public var pads: [String: PadBinding] { bound.withLock { $0.pads } }

    /// The name of one of the engine's pads.
    public func name(of pad: PadHandle) -> String { bound.withLock { $0.pad(pad)?.name ?? "" } }
}

extension PreparedPads {
    func open(
        _ bound: inout BoundSession, engine: Engine, policy: SessionPlayer.Policy
    ) throws(SessionError) {
        for pad in pads {
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

    func replace(_ old: BoundSession, _ new: inout BoundSession, in player: SessionPlayer) {
        let sampler = player.engine.sampler
        let kept = Set(new.document.pads.map(\.id))
        for id in old.document.pads.map(\.id) where !kept.contains(id) {
            new.pads[id] = nil
            guard let handle = old.pads[id]?.handle else { continue }
            player.attempt("pad \"\(id)\"", &new) { () throws(EngineError) in try sampler.unload(handle) }
        }
        for pad in pads {
            let before = old.pads[pad.document.id]
            do throws(SessionError) {
                let binding = try PadBinding(pad, over: before, sampler, path: new.path)
                new.pads[pad.document.id] = binding
            } catch {
                if let handle = before?.handle { try? sampler.unload(handle) }
                new.pads[pad.document.id] = PadBinding(document: pad.document, handle: nil, audio: nil, problem: error)
            }
        }
        let (before, after) = (old.document.padSet.strip, new.document.padSet.strip)
        player.set(after, before: before, of: .pads, key: "padSet", over: old, &new)
    }
}

extension PadsPart: PlayedPart {
    static func load(_ new: BoundSession, over old: BoundSession?, loader: AudioClipLoader) async -> any LoadedPart {
        guard let old, old.path == new.path else { return await PreparedPads(new, loader: loader) }
        // What is new, or not what it was.
        return await PreparedPads(new, loader: loader) { pad in
            guard let binding = old.pads[pad.id], binding.problem == nil else { return true }
            return binding.document != pad
        }
    }

    static let silence = ScriptAction.pads(.choke(pad: nil))

    static func warnings(_ bound: BoundSession) -> [SessionWarning] {
        bound.document.pads.compactMap { bound.pads[$0.id]?.problem.map(SessionWarning.init) }
    }

    static func values(of event: EngineEvent.Kind, _ bound: BoundSession) -> [String: JSONValue]? {
        guard case .sampler(.hit(let pad, let velocity)) = event else { return nil }
        return ["event": "padHit", "pad": .string(bound.pad(pad)?.id ?? ""), "velocity": .number(velocity)]
    }

    static func words(for event: EngineEvent.Kind, _ bound: BoundSession) -> String? {
        guard case .sampler(.hit(let pad, _)) = event else { return nil }
        return "● \(bound.pad(pad)?.name ?? "")"
    }

    /// Finds the pad that an action names.
    static func sending(
        _ action: PartAction, _ player: SessionPlayer, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> SessionPlayer.Sending? {
        guard let action = action.of(PadAction.self) else { return nil }
        func pad(_ id: String) throws(SessionError) -> PadHandle {
            guard let binding = bound.pads[id] else { throw .unknown(path: source, key: "\(key).pad", id: id) }
            if let problem = binding.problem { throw problem }
            guard let handle = binding.handle else { throw .unknown(path: source, key: "\(key).pad", id: id) }
            return handle
        }
        let engine = player.engine
        switch action {
        case .hit(let id, let velocity, let grid):
            let pad = try pad(id)
            return { moment throws(EngineError) in
                // A recording that begins from now on begins where it has faded out.
                player.isBecomingQuiet.store(true, ordering: .relaxed)
                return try engine.sampler.trigger(pad, velocity: velocity, quantization: grid, at: moment)
            }
        case .choke(let id?):
            let pad = try pad(id)
            return { moment throws(EngineError) in try engine.sampler.stop(pad, at: moment) }
        case .choke(nil): return { moment throws(EngineError) in try engine.sampler.stopAll(at: moment) }
        }
    }
}
