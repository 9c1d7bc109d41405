import BarlineTime
import Foundation

/// Decides what a transport does that follows a MIDI clock: pure, of messages and of how the transport stands.
///
/// Beats stay what they are, and only their frames follow: the tempo is the clock's, moved by at most 0.5 % until beats
/// are where the clock has them. What is further away than a quarter of a beat is taken over at once.
struct ClockFollower {
    /// What the transport is to do with the next block.
    enum Order: Hashable {
        /// To start, so that the song is at `place` quarter notes at `seconds`, which have passed.
        case start(place: Double, seconds: Double)
        case stop
        /// To move the song, so that it is at `place` quarter notes at `seconds`, which have passed.
        case locate(place: Double, seconds: Double)
        case tempo(Double)
        /// To move its beats by so many seconds.
        case jump(seconds: Double)
    }

    /// The transport at a moment.
    struct Transport: Hashable {
        /// In seconds, on the clock of the ticks.
        var seconds: Double
        /// The monotonic beat, `nil` while it stands.
        var beat: Double?
        /// The tempo that is set.
        var beatsPerMinute: Double
    }

    private(set) var estimate = ClockEstimate()
    /// Whether the clock was started and not stopped.
    private(set) var isRolling = false
    /// Where the clock begins with its next tick, in quarter notes; `nil` unless it was just told to.
    private var beginning: Double?
    /// Where it goes on when it is told to.
    private var resting = 0.0
    /// Where it began, and with which tick.
    private var place = 0.0
    private var firstTick: Int64 = 0
    /// By how much the clock's beats are ahead of the transport's as both should be, in whole beats where the transport
    /// was started by others; `nil` until it is known.
    private var offset: Double?
    /// The tick at which the tempo was looked at last.
    private var looked: Int64 = -24
    private var wasLost = false

    /// The range of steering.
    private static let steering = 0.005
    /// Errors are steered away over so many beats.
    private static let steeredBeats = 4.0
    /// Errors beyond this many beats are not steered away.
    private static let farthest = 0.25
    /// A transport that was just started is moved from this error on, in seconds.
    private static let heard = 1e-3
    /// A tempo is changed where it moves the next beat by so many seconds.
    private static let moved = 1e-4
    /// The tempo is looked at every so many ticks.
    private static let lookTicks: Int64 = 6
    /// A tempo so near to a whole or half BPM is taken for it.
    private static let roundedWithin = 0.02
    /// Ticks before a tempo is known well enough.
    private static let knownTicks: Int64 = 3

    /// Whether it is a message that a clock sends: a tick, start, continue, stop, a song position.
    static func isClock(_ status: UInt8) -> Bool { [0xf2, 0xf8, 0xfa, 0xfb, 0xfc].contains(status) }

    /// The song position at `seconds`, in quarter notes, while the clock rolls.
    private func song(at seconds: Double) -> Double {
        place + (estimate.ticks(at: seconds) - Double(firstTick)) / ClockEstimate.ticksPerBeat
    }

    /// Takes a message that came at `seconds`, while the transport is as it is.
    mutating func take(_ bytes: [UInt8], at seconds: Double, _ transport: Transport) -> [Order] {
        switch (bytes.first, bytes.count) {
        case (0xf8, _): return tick(at: seconds, transport)
        case (0xfa, _): beginning = 0
        case (0xfb, _): beginning = resting
        case (0xf2, 3): resting = Double(Int(bytes[1] & 127) | Int(bytes[2] & 127) << 7) / 4
        case (0xfc, _):
            beginning = nil
            guard isRolling else { return [] }
            // It goes on with the tick after the latest one.
            resting = place + Double(estimate.count + 1 - firstTick) / ClockEstimate.ticksPerBeat
            isRolling = false
            offset = nil
            if transport.beat != nil { return [.stop] }
        default: break
        }
        return []
    }

    /// What is to be done where ticks have just stopped, or come again, at `seconds`; `nil` for no change. Without them
    /// the tempo stays the latest one.
    mutating func takeLoss(at seconds: Double, _ transport: Transport) -> (isLost: Bool, orders: [Order])? {
        let isLost = estimate.isLost(at: seconds)
        if isLost == wasLost { return nil }
        wasLost = isLost
        return (isLost, isLost ? tempoOrder(0, transport) : [])
    }

    private mutating func tick(at seconds: Double, _ transport: Transport) -> [Order] {
        if let beginning {
            estimate.begin(seconds)
            self.beginning = nil
            (place, firstTick, isRolling) = (beginning, estimate.count, true)
            looked = estimate.count
            return begin(at: seconds, transport)
        }
        estimate.add(seconds)
        if estimate.count < ClockFollower.knownTicks || estimate.count - looked < ClockFollower.lookTicks { return [] }
        looked = estimate.count
        return follow(transport)
    }

    /// The clock begins. A transport that rolls keeps its beats, whose phase becomes the clock's; one that stands starts.
    private mutating func begin(at seconds: Double, _ transport: Transport) -> [Order] {
        if transport.beat == nil {
            offset = place
            return tempoOrder(0, transport) + [.start(place: place, seconds: seconds)]
        }
        offset = nil
        // The song moves with the beats.
        return follow(transport) + [.locate(place: place, seconds: seconds)]
    }

    private mutating func follow(_ transport: Transport) -> [Order] {
        guard isRolling, let beat = transport.beat else {
            // Whoever starts the transport meanwhile begins a beat of his own.
            if isRolling { offset = nil }
            return tempoOrder(0, transport)
        }
        let ahead = song(at: transport.seconds) - beat
        let known = offset ?? .infinity
        if abs(ahead - known) <= ClockFollower.farthest { return tempoOrder(ahead - known, transport) }
        let nearest = ahead.rounded()
        offset = nearest
        let seconds = (ahead - nearest) * 60 / estimate.beatsPerMinute
        if abs(seconds) <= ClockFollower.heard { return tempoOrder(ahead - nearest, transport) }
        return [.jump(seconds: seconds)] + tempoOrder(0, transport)
    }

    /// The tempo by which beats that are `error` beats late come to where the clock has them.
    private func tempoOrder(_ error: Double, _ transport: Transport) -> [Order] {
        let own = estimate.beatsPerMinute
        guard own > 0 else { return [] }
        let rounded = (2 * own).rounded() / 2
        var wanted = own
        if abs(rounded - own) < ClockFollower.roundedWithin, abs(error) * 60 / own < ClockFollower.heard {
            wanted = rounded
        } else {
            let steered = error / ClockFollower.steeredBeats
            wanted *= 1 + max(-ClockFollower.steering, min(ClockFollower.steering, steered))
        }
        wanted = Tempo(clamping: wanted).beatsPerMinute
        let present = transport.beatsPerMinute
        let change = 60 / wanted - 60 / present
        return abs(change) > ClockFollower.moved || wanted == rounded && present != rounded ? [.tempo(wanted)] : []
    }
}
