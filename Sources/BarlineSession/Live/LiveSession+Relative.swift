import BarlineEngine

extension LiveSession {
    /// What an action asks for as things are now, in order: the same, but for a relative one.
    ///
    /// - Throws: ``SessionError`` where there is no such track, stem or scene.
    package func resolved(_ action: ControlAction, source: String = "action") throws(SessionError) -> [ControlAction] {
        guard case .relative(let relative, let time) = action else { return [action] }
        switch relative {
        case .toggle(let target): return [try toggled(target, source).timed(time)]
        case .stepScene(let step): return [.perform(.launchScene(try scene(after: step, source)), at: time)]
        case .footSwitch(let pedal, let press): return try pressed(pedal, press, at: time, source)
        case .item(let id, let action):
            guard let index = player.playlist.documents.firstIndex(where: { $0.id == id }) else {
                throw .unknown(path: source, key: "item", id: id)
            }
            return [.perform(.playlist(action.playlistAction(of: id, at: index)), at: time)]
        }
    }

    private func toggled(_ target: RelativeAction.Switch, _ source: String) throws(SessionError) -> ControlAction {
        let (document, engine) = (player.document, player.engine.state)
        let modes = player.playlist.player.modes
        let word: ScriptAction
        switch target {
        case .mute(let strip): word = .mute(strip, try !document.switches(of: strip, source).mute)
        case .solo(let strip): word = .solo(strip, try !document.switches(of: strip, source).solo)
        case .metronome: word = .metronome(MetronomeChange(isOn: !document.metronome.isEnabled))
        case .transport: word = .transport(isRolling: !engine.transport.isRolling)
        case .loop:
            guard let loop = engine.transport.songLoop else {
                throw .unsupported(path: source, key: "what", what: "no loop of the song was set")
            }
            word = .looping(!loop.isOn)
        case .stems: word = .stems(engine.multitrack.phase == .paused ? .play : .pause)
        case .playlist:
            let isPlaying = [.waiting, .playing].contains(player.playlist.player.phase)
            word = .playlist(isPlaying ? .pause : .play)
        case .shuffle: word = .playlist(.shuffle(!modes.isShuffled, seed: nil))
        case .single: word = .playlist(.single(!modes.isSingle))
        case .consume: word = .playlist(.consume(!modes.consumes))
        case .stopAfterCurrent: word = .playlist(.stopAfterCurrent(!modes.stopsAfterCurrent))
        case .record: return .manage(.record(isOn: recording == nil, audio: true, tracks: false))
        }
        return .perform(word, at: nil)
    }

    /// The row that lies `step` rows after the scene that was launched last; before the first one lies none.
    private func scene(after step: Int, _ source: String) throws(SessionError) -> Int {
        let row = (player.launchedScene ?? -1) + step
        guard (0..<player.document.rowCount).contains(row) else {
            let side = step > 0 ? "after" : "before"
            throw .unsupported(path: source, key: "by", what: "there is no scene \(side) this one")
        }
        return row
    }
}

extension SessionDocument {
    fileprivate func switches(
        of strip: StripName, _ source: String
    ) throws(SessionError) -> StripSettings {
        if let settings = self[strip: strip] { return settings }
        switch strip {
        case .track(let id): throw .unknown(path: source, key: "track", id: id)
        case .stem(let id): throw .unknown(path: source, key: "stem", id: id)
        case .master, .clip, .part:
            let expected = PartStrip.words(PartStrip.faders)
            throw .value(path: source, key: "what", expected: expected, found: "another strip")
        }
    }
}
