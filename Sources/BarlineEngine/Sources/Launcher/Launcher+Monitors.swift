import BarlineDSP
import BarlineTime

/// Monitoring inputs on tracks.
extension Launcher {
    /// Monitors an input on a track, once the one audible there before has faded out.
    @_noLocks func monitor(_ input: Int, _ mode: MonitorMode, on track: Int) {
        tracks[track].monitor.mode = mode
        tracks[track].monitor.wanted = input
    }

    /// Ramps monitors to their target levels, which depend on whether clips play.
    @_noLocks func updateMonitors(_ timeline: borrowing Timeline) {
        for track in 0..<trackCount {
            let monitor = tracks[track].monitor
            if monitor.input != monitor.wanted, monitor.level.target == 0, monitor.level.isSettled(at: timeline.now) {
                tracks[track].monitor.input = monitor.wanted
            }
            let target = tracks[track].monitor.target(
                isPlaying: tracks[track].voice >= 0 && !isOverdubbed(track))
            let level = tracks[track].monitor.level
            if level.target == target { continue }
            tracks[track].monitor.level = level.redirected(to: target, at: timeline.now, frames: timeline.fadeFrames)
        }
    }

    /// The frame at which another input takes over on a track, or the end of time.
    @_noLocks func nextMonitor(on track: Int) -> FrameTime {
        let monitor = tracks[track].monitor
        if monitor.input == monitor.wanted || monitor.level.target != 0 { return .never }
        return monitor.level.start + monitor.level.frames
    }

    /// Whether an input is audible on a track.
    @_noLocks func isMonitored(_ track: Int, at now: FrameTime) -> Bool {
        let monitor = tracks[track].monitor
        return monitor.input >= 0 && !(monitor.level.target == 0 && monitor.level.isSettled(at: now))
    }

    /// Mixes the monitored input into a track.
    @_noLocks func addMonitor(of track: Int, count: Int, _ context: inout RenderContext) {
        let monitor = tracks[track].monitor
        if !context.capture.isOpen(monitor.input) { return }
        context.capture.read(
            monitor.input, from: context.now, count: count, left: context.scratch.voiceLeft,
            right: context.scratch.voiceRight)
        if monitor.level.isSettled(at: context.now) {
            context.scratch.signal.add(context.scratch.source, gain: monitor.level.target, count)
        } else {
            context.scratch.signal.add(
                context.scratch.source, gains: monitor.level, Ramp(constant: 1), at: context.now, count)
        }
    }
}
