import BarlineEngine
import BarlineSession
import Foundation

/// The text of events.
enum EventText {
    /// One line for a person; `nil` for what happens too often to be shown.
    static func line(_ event: EngineEvent, _ player: SessionPlayer) -> String? {
        let seconds = player.engine.configuration.sampleRate.seconds(frames: event.frame.rawValue)
        return words(event.kind, player).map { "\(time(seconds))  \($0)" }
    }

    /// Minutes, seconds and milliseconds.
    static func time(_ seconds: Double) -> String {
        let minutes = Int(seconds) / 60
        return "\(minutes):" + String(format: "%06.3f", seconds - Double(60 * minutes))
    }

    private static func words(_ kind: EngineEvent.Kind, _ player: SessionPlayer) -> String? {
        switch kind {
        case .launcher(let event): return words(event, player)
        case .transport(let event): return words(event)
        case .stems(let event): return words(event)
        case .playlist(let event): return words(event, player)
        case .voicesShed(let count):
            return "the machine is too slow: \(count == 1 ? "a voice was" : "\(count) voices were") ended"
        case .commandLate(_, let frames): return "a command came \(frames) frames late"
        case .metronome(.pulse), .commandTaken: return nil
        default: return player.words(forPart: kind)
        }
    }

    private static func words(_ event: LauncherEvent, _ player: SessionPlayer) -> String? {
        func name(_ clip: ClipHandle, _ track: TrackIndex) -> String {
            "\(player.track(track)?.name ?? "?"): \(player.name(of: clip))"
        }
        switch event {
        case .started(let clip, let track, let beat, _):
            return "▶ \(name(clip, track)) at beat \(String(format: "%g", beat.rawValue))"
        case .stopped(let clip, let track): return "■ \(name(clip, track))"
        case .voicesExhausted(let clip, let track): return "no voice is free for \(name(clip, track))"
        case .underrun(let clip, let track): return "\(name(clip, track)) lacks data: it waits, silent and in step"
        case .recovered(let clip, let track): return "\(name(clip, track)) is back"
        case .recordStarted(let clip, let track, _): return "● \(name(clip, track)) is recorded"
        case .recordEnded(let clip, let track, let frames):
            let seconds = player.engine.configuration.sampleRate.seconds(frames: frames)
            return "○ \(name(clip, track)) has \(String(format: "%.3f", seconds)) s"
        case .layerAdded(let clip, let track, _, _): return "+ a layer of \(name(clip, track))"
        case .layerUndone(let clip, let track): return "− a layer of \(name(clip, track))"
        case .layerRedone(let clip, let track): return "+ a layer of \(name(clip, track)) again"
        case .looped: return nil
        }
    }

    private static func words(_ event: TransportEvent) -> String {
        switch event {
        case .tempoChanged(let tempo, _, let ramp):
            ramp > 0 ? "tempo \(tempo) over \(String(format: "%g", ramp)) beats" : "tempo \(tempo)"
        case .timeSignatureChanged(let value, _): "metre \(value)"
        case .started: "transport rolls"
        case .stopped: "transport stops"
        case .clockJumped(let frames): "the output's clock jumped by \(frames) frames"
        case .sampleRateChanged(let rate): "the device runs at \(rate)"
        }
    }

    private static func words(_ event: StemsEvent) -> String? {
        switch event {
        case .started(let position): "▶ stems at \(time(position))"
        case .paused(let position): "‖ stems at \(time(position))"
        case .seeked(let position): "stems at \(time(position))"
        case .ended: "■ stems have ended"
        case .underrun(let position): "a stem lacks data at \(time(position)): all wait, silent and in step"
        case .recovered(let position): "stems are back at \(time(position))"
        case .looped, .joined, .left: nil
        }
    }

    private static func words(_ event: PlaylistEvent, _ player: SessionPlayer) -> String? {
        switch event {
        case .itemStarted(let item): "▶ \(player.playlist.title(of: item))"
        case .itemSkipped(let item):
            "\(player.playlist.title(of: item)) is left out: "
                + (player.playlist.player.failures[item] ?? "there is nothing in it")
        case .itemSeeked(let item, let position): "\(player.playlist.title(of: item)) at \(time(position))"
        case .playing: "▶ playlist"
        case .paused: "‖ playlist"
        case .stopped: "■ playlist"
        case .ended: "■ playlist has ended"
        case .underrun: "the playlist waits for its audio"
        case .recovered: "the playlist goes on"
        case .itemEnded, .itemTime: nil
        }
    }
}
