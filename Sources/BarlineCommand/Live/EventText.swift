import BarlineEngine
import BarlineSession
import Foundation

/// What has happened, in words.
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
        func name(_ clip: ClipHandle, _ track: TrackIndex) -> String {
            "\(player.track(track)?.name ?? "?"): \(player.name(of: clip))"
        }
        switch kind {
        case .launcher(.started(let clip, let track, let beat, _)):
            return "▶ \(name(clip, track)) at beat \(String(format: "%g", beat.rawValue))"
        case .launcher(.stopped(let clip, let track)): return "■ \(name(clip, track))"
        case .launcher(.voicesExhausted(let clip, let track)): return "no voice is free for \(name(clip, track))"
        case .voicesShed(let count):
            return "the machine is too slow: \(count == 1 ? "a voice was" : "\(count) voices were") ended"
        case .launcher(.recordStarted(let clip, let track, _)): return "● \(name(clip, track)) is recorded"
        case .launcher(.recordEnded(let clip, let track, let frames)):
            let seconds = player.engine.configuration.sampleRate.seconds(frames: frames)
            return "○ \(name(clip, track)) has \(String(format: "%.3f", seconds)) s"
        case .launcher(.layerAdded(let clip, let track, _, _)): return "+ a layer of \(name(clip, track))"
        case .launcher(.layerUndone(let clip, let track)): return "− a layer of \(name(clip, track))"
        case .launcher(.layerRedone(let clip, let track)): return "+ a layer of \(name(clip, track)) again"
        case .sampler(.hit(let pad, _)): return "● \(player.name(of: pad))"
        case .transport(.tempoChanged(let tempo, _, let ramp)):
            return ramp > 0 ? "tempo \(tempo) over \(String(format: "%g", ramp)) beats" : "tempo \(tempo)"
        case .transport(.timeSignatureChanged(let value, _)): return "metre \(value)"
        case .transport(.started): return "transport rolls"
        case .transport(.stopped): return "transport stops"
        case .commandLate(_, let frames): return "a command came \(frames) frames late"
        case .transport(.clockJumped(let frames)): return "the output's clock jumped by \(frames) frames"
        case .transport(.sampleRateChanged(let rate)): return "the device runs at \(rate)"
        case .stems(.started(let position)): return "▶ stems at \(time(position))"
        case .stems(.paused(let position)): return "‖ stems at \(time(position))"
        case .stems(.seeked(let position)): return "stems at \(time(position))"
        case .stems(.ended): return "■ stems have ended"
        case .stems(.underrun(let position)):
            return "a stem lacks data at \(time(position)): all wait, silent and in step"
        case .stems(.recovered(let position)): return "stems are back at \(time(position))"
        case .playlist(.itemStarted(let item)): return "▶ \(player.playlist.title(of: item))"
        case .playlist(.itemSkipped(let item)):
            return "\(player.playlist.title(of: item)) is left out: "
                + (player.playlist.player.failures[item] ?? "there is nothing in it")
        case .playlist(.itemSeeked(let item, let position)):
            return "\(player.playlist.title(of: item)) at \(time(position))"
        case .playlist(.playing): return "▶ playlist"
        case .playlist(.paused): return "‖ playlist"
        case .playlist(.stopped): return "■ playlist"
        case .playlist(.ended): return "■ playlist has ended"
        case .playlist(.underrun): return "the playlist waits for its audio"
        case .playlist(.recovered): return "the playlist goes on"
        case .playlist(.itemEnded), .playlist(.itemTime): return nil
        case .stems(.looped), .stems(.joined), .stems(.left), .launcher(.looped), .metronome(.pulse), .commandTaken:
            return nil
        }
    }
}
