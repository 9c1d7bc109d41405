import BarlineEngine
import BarlineTime

/// A foot switch that records, plays and records over the loops of a track.
package struct FootSwitch: Hashable, Sendable {
    /// A gesture of the foot.
    package enum Press: String, Hashable, Sendable, CaseIterable {
        /// Goes down and up at once.
        case tap
        /// Goes down.
        case down
        /// Goes up.
        case up
    }

    /// The pedal that is pressed.
    package struct Pedal: Hashable, Sendable {
        /// The track.
        var track: String
        /// The row; `nil` for that of what is recorded or plays, else the one pressed last, else the first empty one.
        var slot: Int?
        /// The level at which a loop is kept in what is recorded over it, in percent.
        var feedback = 100.0

        /// A switch for the loops of a track.
        package init(track: String, slot: Int? = nil, feedback: Double = 100) {
            self.track = track
            self.slot = slot
            self.feedback = feedback
        }
    }

    /// The effect of the latest press, as far as another one, or holding it, takes that back.
    enum Effect: Hashable {
        /// To record over a loop.
        case beginsLayer
        /// To end that.
        case endsLayer
        /// Something else.
        case other
    }

    /// Two presses whose beginnings are no further apart stop the track.
    static let doubleSeconds = 0.4
    /// Who holds it down for so long undoes.
    static let holdSeconds = 1.0
    /// How long a contact bounces: what goes down again that soon after it went down or up never went up.
    static let bounceSeconds = 0.03

    let slot: Int
    /// When it went down.
    let since: FrameTime
    var isDown: Bool
    /// When it went down or up last.
    var moved: FrameTime
    /// Whether another press soon after is the second of two.
    var isFirst: Bool
    var effect: Effect
    /// The layers that lay below the loop.
    var layers = 0

    /// It goes down, without that being another press, or up.
    mutating func moveDown(_ isDown: Bool, at frame: FrameTime) { (self.isDown, moved) = (isDown, frame) }
}

/// The actions of a foot switch, in the present state.
extension LiveSession {
    /// What a press asks for.
    ///
    /// - Parameters:
    ///   - pedal: what is pressed.
    ///   - press: how.
    ///   - time: when; `nil` for now.
    ///   - source: what errors call who asks.
    /// - Returns: what is to be done, in order.
    /// - Throws: ``SessionError`` where there is no such track.
    func pressed(
        _ pedal: FootSwitch.Pedal, _ press: FootSwitch.Press, at time: ScriptTime?, _ source: String
    ) throws(SessionError) -> [ControlAction] {
        guard let track = player.document.tracks.first(where: { $0.id == pedal.track }) else {
            throw .unknown(path: source, key: "track", id: pedal.track)
        }
        let former = state.withLock { $0.footSwitches[track.id] }
        let frame = frame(of: time)
        if press == .up { return released(on: track, at: frame) }
        if let former, former.slot == pedal.slot ?? former.slot, bounces(former, frame) {
            state.withLock { $0.footSwitches[track.id]?.moveDown(press == .down, at: frame) }
            return []
        }
        let slot = pedal.slot ?? slotInUse(of: track, former, frame)
        var now = FootSwitch(
            slot: slot, since: frame, isDown: press == .down, moved: frame, isFirst: true, effect: .other)
        let words: [ScriptAction]
        if let former, former.isFirst, former.slot == slot, isDouble(former.since, frame) {
            words = takingBack(former, of: track) + [.stop(track: track.id)]
            (now.isFirst, now.isDown) = (false, false)
        } else {
            let (word, effect) = cycle(track, slot, feedback: pedal.feedback)
            now.effect = effect
            words = [word]
        }
        now.layers = track.clips.first { $0.slot == slot }?.layers.count ?? 0
        state.withLock { [now] in $0.footSwitches[track.id] = now }
        return words.map { .perform($0, at: time) }
    }

    /// A foot switch goes up: what is due by then may not have been looked at.
    private func released(on track: TrackDocument, at frame: FrameTime) -> [ControlAction] {
        let hold = player.engine.state.sampleRate.frames(seconds: FootSwitch.holdSeconds)
        let held = state.withLock { state -> FootSwitch? in
            guard let pedal = state.footSwitches[track.id] else { return nil }
            let isHeld = pedal.isDown && frame - pedal.since >= hold
            state.footSwitches[track.id]?.moveDown(false, at: frame)
            if isHeld { state.footSwitches[track.id]?.isFirst = false }
            return isHeld ? pedal : nil
        }
        return held.map { undoing($0, of: track) } ?? []
    }

    /// Undoes by foot switches that are held down for long; to be called often.
    func followFootSwitches() {
        let (now, rate) = (player.engine.now, player.engine.sampleRate)
        let hold = rate.frames(seconds: FootSwitch.holdSeconds)
        let held = state.withLock { state in
            let held = state.footSwitches.filter { $0.value.isDown && now - $0.value.since >= hold }
            for track in held.keys {
                state.footSwitches[track]?.isDown = false
                state.footSwitches[track]?.isFirst = false
            }
            return held
        }
        for (id, pedal) in held {
            guard let track = player.document.tracks.first(where: { $0.id == id }) else { continue }
            for action in undoing(pedal, of: track) { follow(action) }
        }
    }

    private func follow(_ action: ControlAction) {
        let source = "foot switch"
        guard case .perform(let word, _) = action else {
            return submit(action, source: source) { [weak self] result in
                if case .failure(let error) = result { self?.report(error) }
            }
        }
        do throws(SessionError) {
            _ = try perform(word, source: source)
        } catch {
            report(error)
        }
    }

    private func report(_ error: SessionError) { state.withLock { $0.notices.append(SessionNotice(error)) } }

    private func bounces(_ former: FootSwitch, _ frame: FrameTime) -> Bool {
        let bounce = player.engine.state.sampleRate.frames(seconds: FootSwitch.bounceSeconds)
        return frame >= former.since && frame - former.moved < bounce
    }

    private func isDouble(_ first: FrameTime, _ second: FrameTime) -> Bool {
        second - first <= player.engine.sampleRate.frames(seconds: FootSwitch.doubleSeconds)
    }

    private func slotInUse(of track: TrackDocument, _ former: FootSwitch?, _ frame: FrameTime) -> Int {
        let takes = player.openTakes.filter { $0.track == track.id }
        if let take = takes.last(where: { $0.since != nil || status(of: $0.id) != .stopped }) { return take.slot }
        // The engine may not have taken the press before this one yet.
        let pressed = former.flatMap { isDouble($0.since, frame) ? $0.slot : nil }
        if let pressed, takes.contains(where: { $0.slot == pressed }) { return pressed }
        let clips = track.clips.sorted { $0.slot < $1.slot }
        if let clip = clips.first(where: { status(of: $0.id) != .stopped }) { return clip.slot }
        if let former, (clips.map(\.slot) + takes.map(\.slot)).contains(former.slot) { return former.slot }
        return takes.last?.slot ?? track.freeSlot()
    }

    private func status(of clip: String) -> EngineState.ClipStatus {
        guard let binding = player.clipTable[clip], let handle = binding.handle else { return .stopped }
        return player.engine.state.status(of: handle, on: binding.track)
    }

    /// Record, play, record over, play …
    private func cycle(
        _ track: TrackDocument, _ slot: Int, feedback: Double
    ) -> (ScriptAction, FootSwitch.Effect) {
        func record(_ mode: RecordMode?) -> ScriptAction {
            .record(
                .clip(
                    track: track.id, slot: slot, input: nil, bars: nil, id: nil, mode: mode,
                    feedback: mode == nil ? 100 : feedback))
        }
        let isTake = player.openTakes.contains { $0.track == track.id && $0.slot == slot }
        guard !isTake, let clip = track.clips.first(where: { $0.slot == slot }) else { return (record(nil), .other) }
        if player.overdubs[clip.id] != nil { return (record(.overdub), .endsLayer) }
        return switch status(of: clip.id) {
        case .stopped, .stopping: (.launch(clip: clip.id), .other)
        case .queued, .playing: (record(.overdub), .beginsLayer)
        }
    }

    /// What takes back that the first of two presses has begun to record over a loop.
    private func takingBack(_ former: FootSwitch, of track: TrackDocument) -> [ScriptAction] {
        guard former.effect == .beginsLayer, let clip = track.clips.first(where: { $0.slot == former.slot }),
            let status = player.overdubs[clip.id]
        else { return [] }
        if status.since != nil { return [.layer(.undo(clip: clip.id))] }
        return [
            .record(.clip(track: track.id, slot: former.slot, input: nil, bars: nil, id: nil, mode: .overdub))
        ]
    }

    /// What takes the latest layer away, or where there is none a loop that was recorded here.
    private func undoing(_ pedal: FootSwitch, of track: TrackDocument) -> [ControlAction] {
        guard let clip = track.clips.first(where: { $0.slot == pedal.slot }) else { return [] }
        let undo = ControlAction.perform(.layer(.undo(clip: clip.id)), at: nil)
        if pedal.effect == .endsLayer { return [undo] }
        let overdub = player.overdubs[clip.id]
        // The layers that the press itself has begun are not the one that is meant.
        var begun: [ControlAction] = []
        if pedal.effect == .beginsLayer {
            let count = max(0, clip.layers.count - pedal.layers) + (overdub?.since == nil ? 0 : 1)
            begun = Array(repeating: undo, count: count)
        }
        if min(pedal.layers, clip.layers.count) > 0 { return begun + [undo] }
        if player.isRecorded(clip.id) { return begun + [.edit(.removingClip(clip.id))] }
        return overdub == nil || !begun.isEmpty ? begun : [undo]
    }
}
