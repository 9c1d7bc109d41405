import BarlineEngine
import BarlineSession
import Foundation

/// What has happened, in words.
enum EventText {
    /// One line for a person; `nil` for what happens too often to be told.
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
        func name(_ clip: ClipHandle, _ track: TrackIndex) -> String {
            "\(player.track(track)?.name ?? "?"): \(player.name(of: clip))"
        }
        switch kind {
        case .clipStarted(let clip, let track, let beat, _):
            return "▶ \(name(clip, track)) at beat \(String(format: "%g", beat.rawValue))"
        case .clipStopped(let clip, let track): return "■ \(name(clip, track))"
        case .voicesExhausted(let clip, let track): return "no voice is free for \(name(clip, track))"
        case .voicesShed(let count):
            return "the machine is too slow: \(count == 1 ? "a voice was" : "\(count) voices were") ended"
        case .padHit(let pad, _): return "● \(player.name(of: pad))"
        case .tempoChanged(let tempo, _, let ramp):
            return ramp > 0 ? "tempo \(tempo) over \(String(format: "%g", ramp)) beats" : "tempo \(tempo)"
        case .timeSignatureChanged(let value, _): return "metre \(value)"
        case .transportStarted: return "transport rolls"
        case .transportStopped: return "transport stops"
        case .commandLate(_, let frames): return "a command came \(frames) frames late"
        case .clockJumped(let frames): return "the output's clock jumped by \(frames) frames"
        case .sampleRateChanged(let rate): return "the device runs at \(rate)"
        case .stemsStarted(let position): return "▶ stems at \(time(position))"
        case .stemsPaused(let position): return "‖ stems at \(time(position))"
        case .stemsSeeked(let position): return "stems at \(time(position))"
        case .stemsEnded: return "■ stems have ended"
        case .stemsUnderrun(let position): return "a stem lacks data at \(time(position)): all wait, silent and in step"
        case .stemsRecovered(let position): return "stems are back at \(time(position))"
        case .itemStarted(let item): return "▶ \(player.playlist.title(of: item))"
        case .itemSkipped(let item):
            return "\(player.playlist.title(of: item)) is left out: "
                + (player.playlist.player.failures[item] ?? "there is nothing in it")
        case .itemSeeked(let item, let position): return "\(player.playlist.title(of: item)) at \(time(position))"
        case .playlistPlaying: return "▶ playlist"
        case .playlistPaused: return "‖ playlist"
        case .playlistStopped: return "■ playlist"
        case .playlistEnded: return "■ playlist has ended"
        case .playlistUnderrun: return "the playlist waits for its audio"
        case .playlistRecovered: return "the playlist goes on"
        case .itemEnded, .itemTime: return nil
        case .stemsLooped, .stemJoined, .stemLeft, .clipLooped, .pulse, .commandTaken: return nil
        }
    }
}
