import BarlineEngine
import BarlineSession
import BarlineTime
import Foundation

/// Has a session follow the MIDI clock of another machine, whose messages it is given with the frames on which they came.
///
/// What it does goes through the session as what anybody else does, so that a take has it; the session's own tempo, and
/// what can be undone, stay as they are. Not for two threads at once.
package final class MIDIClockInput {
    private let session: LiveSession
    private let status: ClockStatus
    private let notify: @Sendable (String) -> Void
    private var follower = ClockFollower()
    /// What the follower's seconds are counted by, and from.
    private var sampleRate: SampleRate
    private var origin: FrameTime

    private static let source = "MIDI clock"

    /// Begins to follow.
    ///
    /// - Parameters:
    ///   - session: what follows.
    ///   - status: where it is said how the clock stands.
    ///   - notify: is called with what a person should know.
    package init(_ session: LiveSession, _ status: ClockStatus, notify: @escaping @Sendable (String) -> Void) {
        self.session = session
        self.status = status
        self.notify = notify
        sampleRate = session.player.engine.sampleRate
        origin = session.player.engine.now
    }

    /// How long it takes to see that ticks have stopped, in seconds; `nil` before there are any.
    package var watchInterval: Double? { status.state == .following ? 0.1 : nil }

    /// Takes a message with the frame on which it came.
    ///
    /// - Returns: whether it was one that a clock sends.
    package func take(_ message: (bytes: [UInt8], frame: FrameTime)) -> Bool {
        let (bytes, frame) = message
        guard let first = bytes.first, ClockFollower.isClock(first) else { return false }
        let engine = session.player.engine
        if engine.sampleRate != sampleRate {
            (follower, sampleRate, origin) = (ClockFollower(), engine.sampleRate, frame)
            status.state = .waiting
        }
        // What is heard comes later than it is rendered, and has to be where the tick is.
        let seconds = sampleRate.seconds(frames: frame - origin - Int64(engine.outputLatency))
        perform(follower.take(bytes, at: seconds, transport))
        if first == 0xf8, follower.estimate.period > 0, status.state == .waiting { status.state = .following }
        return true
    }

    /// Looks whether ticks have stopped, or come again.
    package func look() {
        let transport = transport
        guard let (isLost, orders) = follower.takeLoss(at: transport.seconds, transport) else { return }
        perform(orders)
        status.state = isLost ? .lost : .following
        notify(
            isLost
                ? "the MIDI clock is gone: it goes on at its tempo, \(tempoText) BPM, until the clock is back"
                : "the MIDI clock is back")
    }

    private var tempoText: String { String(format: "%.2f", follower.estimate.beatsPerMinute) }

    private var transport: ClockFollower.Transport {
        let transport = session.player.engine.transport
        let map = transport.map
        return ClockFollower.Transport(
            seconds: sampleRate.seconds(frames: map.now - origin),
            beat: map.isRolling ? map.beat(at: map.now).rawValue : nil,
            beatsPerMinute: transport.tempo.beatsPerMinute)
    }

    private func perform(_ orders: [ClockFollower.Order]) {
        for order in orders {
            do throws(SessionError) {
                try perform(order)
            } catch {
                notify("\(error)")
            }
        }
    }

    private func perform(_ order: ClockFollower.Order) throws(SessionError) {
        let present = session.presentFrame
        switch order {
        case .tempo(let beatsPerMinute): try perform(.tempo(bpm: beatsPerMinute, ramp: 0), at: present)
        case .stop: try perform(.transport(isRolling: false), at: present)
        case .locate(let place, let seconds):
            let elapsed = sampleRate.seconds(frames: present - origin) - seconds
            let tempo = session.player.engine.transport.tempo.beatsPerMinute
            try perform(.locate(.beat(place + elapsed * tempo / 60)), at: present)
        case .start(let place, let seconds):
            // That has passed: beats are where they are, had it been started then. A count-in was the other machine's.
            let first = origin + sampleRate.frames(seconds: seconds - countIn)
            if place > 0 { try perform(.locate(.beat(place)), at: first) }
            try perform(.transport(isRolling: true), at: first)
        case .jump(let seconds):
            do throws(EngineError) {
                try session.player.engine.transport.jumpClock(by: sampleRate.frames(seconds: seconds))
            } catch {
                throw .engine(path: MIDIClockInput.source, key: "jump", error)
            }
        }
    }

    private func perform(_ action: ScriptAction, at frame: FrameTime) throws(SessionError) {
        _ = try session.perform(action, at: .frame(frame), source: MIDIClockInput.source, isScripted: true)
    }

    /// The length of the count-in, in seconds.
    private var countIn: Double {
        let document = session.player.document
        let quarters = Double(document.metronome.countIn) * document.timeSignature.quartersPerBar
        return quarters * 60 / session.player.engine.transport.tempo.beatsPerMinute
    }
}
