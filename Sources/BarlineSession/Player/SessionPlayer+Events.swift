import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// An event as a line of JSON, without its line break; `nil` for internal events.
    ///
    /// - Complexity: O(*n*) in the characters of the line.
    public func eventLine(_ event: EngineEvent) -> String? { eventValue(event)?.line }

    /// An event as an object; `nil` for what matters inside the program only.
    package func eventValue(_ event: EngineEvent) -> JSONValue? {
        eventValues(event.kind).map { values in
            var values = values
            values["frame"] = .number(Double(event.frame.rawValue))
            return .object(values)
        }
    }

    private func eventValues(_ kind: EngineEvent.Kind) -> [String: JSONValue]? {
        switch kind {
        case .launcher(let event): return values(event)
        case .transport(let event): return values(event)
        case .metronome(.pulse(let bar, let pulse, let isAccented)):
            return [
                "event": "beat", "bar": .number(Double(bar)), "beat": .number(Double(pulse)),
                "accent": .bool(isAccented),
            ]
        case .stems(let event): return values(event)
        case .playlist(let event): return values(event)
        case .voicesShed(let count): return ["event": "voicesShed", "count": .number(Double(count))]
        case .commandLate(_, let frames): return ["event": "commandLate", "frames": .number(Double(frames))]
        case .commandTaken: return nil
        default:
            let bound = bound.withLock { $0 }
            return SessionParts.played.lazy.compactMap { $0.values(of: kind, bound) }.first
        }
    }

    private func values(_ event: LauncherEvent) -> [String: JSONValue] {
        switch event {
        case .started(let clip, let track, let beat, let sourceFrame):
            clipValues("clipStarted", clip, track).merging(
                ["beat": .number(beat.rawValue), "sourceFrame": .number(sourceFrame)]) { $1 }
        case .looped(let clip, let track, let iteration):
            clipValues("clipLooped", clip, track).merging(["iteration": .number(Double(iteration))]) { $1 }
        case .stopped(let clip, let track): clipValues("clipStopped", clip, track)
        case .voicesExhausted(let clip, let track): clipValues("voicesExhausted", clip, track)
        case .underrun(let clip, let track): clipValues("clipUnderrun", clip, track)
        case .recovered(let clip, let track): clipValues("clipRecovered", clip, track)
        case .recordStarted(let clip, let track, let input):
            clipValues("recordStarted", clip, track).merging(["input": .string(name(of: input))]) { $1 }
        case .recordEnded(let clip, let track, let frames):
            clipValues("recordEnded", clip, track).merging(["frames": .number(Double(frames))]) { $1 }
        case .layerAdded(let clip, let track, _, let frames):
            clipValues("layerAdded", clip, track).merging(["frames": .number(Double(frames))]) { $1 }
        case .layerUndone(let clip, let track): clipValues("layerUndone", clip, track)
        case .layerRedone(let clip, let track): clipValues("layerRedone", clip, track)
        }
    }

    private func values(_ event: TransportEvent) -> [String: JSONValue] {
        switch event {
        case .tempoChanged(let tempo, let beat, let ramp):
            var values: [String: JSONValue] = [
                "event": "tempoChanged", "bpm": .number(tempo.beatsPerMinute), "beat": .number(beat.rawValue),
            ]
            if ramp > 0 { values["ramp"] = .number(ramp) }
            return values
        case .timeSignatureChanged(let value, let beat):
            return [
                "event": "timeSignatureChanged", "value": .string(value.description), "beat": .number(beat.rawValue),
            ]
        case .started(let beat): return ["event": "transportStarted", "beat": .number(beat.rawValue)]
        case .stopped: return ["event": "transportStopped"]
        case .clockJumped(let frames): return ["event": "clockJumped", "frames": .number(Double(frames))]
        case .sampleRateChanged(let rate): return ["event": "sampleRateChanged", "sampleRate": .number(rate.hertz)]
        }
    }

    private func values(_ event: StemsEvent) -> [String: JSONValue] {
        switch event {
        case .started(let position): stemsValues("stemsStarted", position)
        case .paused(let position): stemsValues("stemsPaused", position)
        case .seeked(let position): stemsValues("stemsSeeked", position)
        case .looped(let position): stemsValues("stemsLooped", position)
        case .underrun(let position): stemsValues("stemsUnderrun", position)
        case .recovered(let position): stemsValues("stemsRecovered", position)
        case .joined(let stem, let position): stemValues("stemJoined", stem, position)
        case .left(let stem, let position): stemValues("stemLeft", stem, position)
        case .ended: ["event": "stemsEnded"]
        }
    }

    private func values(_ event: PlaylistEvent) -> [String: JSONValue] {
        switch event {
        case .itemStarted(let item): itemValues("itemStarted", item)
        case .itemEnded(let item): itemValues("itemEnded", item)
        case .itemSkipped(let item):
            itemValues("itemSkipped", item).merging(
                ["reason": .string(playlist.player.failures[item] ?? "there is nothing in it")]) { $1 }
        case .itemSeeked(let item, let position):
            itemValues("itemSeeked", item).merging(["position": .number(position)]) { $1 }
        case .itemTime(let item, let position):
            itemValues("itemTime", item).merging(["position": .number(position)]) { $1 }
        case .playing: ["event": "playlistPlaying"]
        case .paused: ["event": "playlistPaused"]
        case .stopped: ["event": "playlistStopped"]
        case .ended: ["event": "playlistEnded"]
        case .underrun: ["event": "playlistUnderrun"]
        case .recovered: ["event": "playlistRecovered"]
        }
    }

    private func name(of input: InputIndex) -> String {
        bound.withLock { $0.inputs.first { $0.value == input }?.key ?? "" }
    }

    private func itemValues(_ event: String, _ item: PlaylistItemID) -> [String: JSONValue] {
        ["event": .string(event), "item": .string(playlist.document(of: item)?.id ?? "")]
    }

    private func stemsValues(_ event: String, _ position: Double) -> [String: JSONValue] {
        ["event": .string(event), "position": .number(position)]
    }

    private func stemValues(_ event: String, _ stem: StemIndex, _ position: Double) -> [String: JSONValue] {
        let id = bound.withLock { $0.stemIDs[stem] } ?? ""
        return stemsValues(event, position).merging(["stem": .string(id)]) { $1 }
    }

    private func clipValues(_ event: String, _ clip: ClipHandle, _ track: TrackIndex) -> [String: JSONValue] {
        let (clip, gone) = bound.withLock { ($0.clipIDs[clip] ?? $0.goneClips[clip] ?? "", $0.goneTracks[track]) }
        return [
            "event": .string(event), "clip": .string(clip), "track": .string(self.track(track)?.id ?? gone ?? ""),
        ]
    }
}
