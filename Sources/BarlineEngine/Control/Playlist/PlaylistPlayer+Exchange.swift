import BarlineTime

/// The position at which another version of the current item takes over.
struct PlaylistExchange {
    /// The position from which on the new version plays, in seconds of that version.
    let seconds: Double
    /// How many times longer it is than the audible version.
    let scale: Double
}

/// Exchanging the version of an item, for example its speed.
extension PlaylistPlayer {
    /// Replaces the version in which an item of the list plays: at another speed, say. It stays the same item.
    ///
    /// If it is the current one, it continues across 5 ms at its current position: live after a quarter of a second, in
    /// which the new version is read.
    ///
    /// - Parameters:
    ///   - item: the new version, with the identifier of an item of the list.
    ///   - moment: when; `nil` for as soon as possible.
    ///   - scale: how many times longer the new version is than the former one.
    package func exchange(with item: PlaylistItem, at moment: (any Moment)? = nil, slower scale: Double) {
        edit("\(item.name) is played in another version") { state in
            guard state.items[item.id] != nil else { return }
            state.keep(item)
            if state.queue.current == item.id { goOn(&state, moment, slower: scale) }
        }
    }

    private func goOn(_ state: inout State, _ moment: (any Moment)?, slower: Double) {
        let heard = engine.playlist.state
        let asked = state.requests.last(where: \.isStart)
        let waiting = asked?.startSeconds
        let isThere = waiting == nil && state.active.map { isHeard($0, heard) } ?? false
        let last = state.exchange.flatMap { $0.seconds == waiting ?? state.startSeconds ? $0 : nil }
        guard isThere || last != nil else {
            state.exchange = nil
            let isSameTurn = asked?.isSameTurn ?? (state.active != nil)
            start(
                &state, plays: false, crossfades: false, moment, seconds: (waiting ?? state.startSeconds) * slower,
                isSameTurn: isSameTurn
            ) { _ in }
            return
        }
        let rate = heard.sampleRate
        var moment = moment
        var ahead = 0.0
        if heard.phase == .playing {
            if moment == nil, !feeder.isByHand { moment = heard.frame + rate.frames(seconds: exchangeLead) }
            if case .frame(let frame) = moment?.due { ahead = max(0, Double(frame - heard.frame) / rate.hertz) }
        }
        let scale = isThere ? slower : slower * (last?.scale ?? 1)
        let seconds = (heard.position + ahead) * scale
        if let last { state.requests.removeAll { $0.startSeconds == last.seconds } }
        start(&state, plays: false, crossfades: false, moment, seconds: seconds, isSameTurn: true) { _ in }
        state.exchange = PlaylistExchange(seconds: seconds, scale: scale)
    }

    /// How far ahead of the playback position another version takes over, in seconds: time enough to open a file and to
    /// read some seconds.
    private var exchangeLead: Double { 0.25 }
}

extension StreamRequest<PlaylistPlayer.RequestKind> {
    /// The position at which a start begins, in seconds.
    fileprivate var startSeconds: Double? {
        if case .start(let seconds, _, _, _) = kind { return seconds }
        return nil
    }

    fileprivate var isSameTurn: Bool {
        if case .start(_, _, let isSameTurn, _) = kind { return isSameTurn }
        return false
    }
}
