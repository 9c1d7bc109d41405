import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// An event as a line of JSON, without its line break; `nil` for what matters inside the program only.
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
        case .launcher(.started(let clip, let track, let beat, let sourceFrame)):
            return clipValues("clipStarted", clip, track).merging(
                ["beat": .number(beat.rawValue), "sourceFrame": .number(sourceFrame)]) { $1 }
        case .launcher(.looped(let clip, let track, let iteration)):
            return clipValues("clipLooped", clip, track).merging(["iteration": .number(Double(iteration))]) { $1 }
        case .launcher(.stopped(let clip, let track)): return clipValues("clipStopped", clip, track)
        case .launcher(.voicesExhausted(let clip, let track)): return clipValues("voicesExhausted", clip, track)
        case .voicesShed(let count): return ["event": "voicesShed", "count": .number(Double(count))]
        case .launcher(.recordStarted(let clip, let track, let input)):
            return clipValues("recordStarted", clip, track).merging(["input": .string(name(of: input))]) { $1 }
        case .launcher(.recordEnded(let clip, let track, let frames)):
            return clipValues("recordEnded", clip, track).merging(["frames": .number(Double(frames))]) { $1 }
        case .launcher(.layerAdded(let clip, let track, _, let frames)):
            return clipValues("layerAdded", clip, track).merging(["frames": .number(Double(frames))]) { $1 }
        case .launcher(.layerUndone(let clip, let track)): return clipValues("layerUndone", clip, track)
        case .launcher(.layerRedone(let clip, let track)): return clipValues("layerRedone", clip, track)
        case .sampler(.hit(let pad, let velocity)):
            return [
                "event": "padHit", "pad": .string(padID(of: pad) ?? ""), "velocity": .number(velocity),
            ]
        case .transport(.tempoChanged(let tempo, let beat, let ramp)):
            var values: [String: JSONValue] = [
                "event": "tempoChanged", "bpm": .number(tempo.beatsPerMinute), "beat": .number(beat.rawValue),
            ]
            if ramp > 0 { values["ramp"] = .number(ramp) }
            return values
        case .transport(.timeSignatureChanged(let value, let beat)):
            return [
                "event": "timeSignatureChanged", "value": .string(value.description), "beat": .number(beat.rawValue),
            ]
        case .transport(.started(let beat)): return ["event": "transportStarted", "beat": .number(beat.rawValue)]
        case .transport(.stopped): return ["event": "transportStopped"]
        case .metronome(.pulse(let bar, let pulse, let isAccented)):
            return [
                "event": "beat", "bar": .number(Double(bar)), "beat": .number(Double(pulse)),
                "accent": .bool(isAccented),
            ]
        case .stems(.started(let position)): return stemsValues("stemsStarted", position)
        case .stems(.paused(let position)): return stemsValues("stemsPaused", position)
        case .stems(.seeked(let position)): return stemsValues("stemsSeeked", position)
        case .stems(.looped(let position)): return stemsValues("stemsLooped", position)
        case .stems(.underrun(let position)): return stemsValues("stemsUnderrun", position)
        case .stems(.recovered(let position)): return stemsValues("stemsRecovered", position)
        case .stems(.joined(let stem, let position)): return stemValues("stemJoined", stem, position)
        case .stems(.left(let stem, let position)): return stemValues("stemLeft", stem, position)
        case .stems(.ended): return ["event": "stemsEnded"]
        case .playlist(.itemStarted(let item)): return itemValues("itemStarted", item)
        case .playlist(.itemEnded(let item)): return itemValues("itemEnded", item)
        case .playlist(.itemSkipped(let item)):
            var values = itemValues("itemSkipped", item)
            values["reason"] = .string(playlist.player.failures[item] ?? "there is nothing in it")
            return values
        case .playlist(.itemSeeked(let item, let position)):
            return itemValues("itemSeeked", item).merging(["position": .number(position)]) { $1 }
        case .playlist(.itemTime(let item, let position)):
            return itemValues("itemTime", item).merging(["position": .number(position)]) { $1 }
        case .playlist(.playing): return ["event": "playlistPlaying"]
        case .playlist(.paused): return ["event": "playlistPaused"]
        case .playlist(.stopped): return ["event": "playlistStopped"]
        case .playlist(.ended): return ["event": "playlistEnded"]
        case .playlist(.underrun): return ["event": "playlistUnderrun"]
        case .playlist(.recovered): return ["event": "playlistRecovered"]
        case .commandLate(_, let frames): return ["event": "commandLate", "frames": .number(Double(frames))]
        case .transport(.clockJumped(let frames)): return ["event": "clockJumped", "frames": .number(Double(frames))]
        case .transport(.sampleRateChanged(let rate)):
            return ["event": "sampleRateChanged", "sampleRate": .number(rate.hertz)]
        case .commandTaken: return nil
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
        [
            "event": .string(event), "clip": .string(bound.withLock { $0.clipIDs[clip] } ?? ""),
            "track": .string(self.track(track)?.id ?? ""),
        ]
    }
}
