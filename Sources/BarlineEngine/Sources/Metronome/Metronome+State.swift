import BarlineDSP
import BarlineTime

/// A snapshot of a planned beat, for displays.
struct BeatSnapshot: BitwiseCopyable {
    let frame: FrameTime
    let bar: Int64
    let pulse: Int
    let isAccented: Bool

    @_noLocks init(_ click: PlannedClick) {
        frame = click.frame
        bar = click.bar
        pulse = click.pulse
        isAccented = click.isAccented
    }
}

/// Publishing the metronome for displays.
extension Metronome {
    /// The metronome at the end of a block, except the beats.
    struct Snapshot: BitwiseCopyable {
        let isEnabled: Bool
        /// The number of past beats and of planned beats.
        let recentCount: Int
        let upcomingCount: Int
    }

    /// Publishes the past and planned beats.
    @_noLocks func publish(_ context: inout RenderContext) {
        let board = context.link.board
        let recent = plan.recentCount
        board.put(
            Snapshot(isEnabled: settings.isEnabled, recentCount: recent, upcomingCount: plan.pulseCount),
            at: place)
        for index in 0..<recent { board.put(BeatSnapshot(plan.recentPulse(index)), at: beatPlace, index) }
        var next = recent
        for index in 0..<plan.clickCount {
            let click = plan.click(index)
            if !click.isPulse { continue }
            board.put(BeatSnapshot(click), at: beatPlace, next)
            next += 1
        }
    }
}

extension UpcomingBeat {
    init(_ beat: BeatSnapshot) {
        self.init(frame: beat.frame, bar: Int(beat.bar) + 1, pulse: beat.pulse + 1, isAccented: beat.isAccented)
    }
}
