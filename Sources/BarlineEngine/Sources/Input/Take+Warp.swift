import BarlineDSP
import BarlineTime
import CRealtime

/// Takes made while the tempo changes: their beats are of unequal length.
extension Take {
    /// The number of warp knots that a take has room for.
    static var knotCapacity: Int { @_noLocks get { 514 } }
    /// The distance of knots in quarter notes during a ramp; twice that, and so on, in long takes.
    private static var knotBeats: Double { @_noLocks get { 0.25 } }
    /// The largest number of knots that are not on a change of tempo.
    private static var mostSteps: Double { @_noLocks get { 256 } }
    /// The largest deviation, in frames, of the take's ends from the tempo map that it was made on.
    private static var slack: Double { @_noLocks get { 2 } }

    /// Whether the take, which ends on `end`, was made on a tempo map.
    @_noLocks func isOn(_ tempo: borrowing TempoMap, until end: Beat) -> Bool {
        let first = tempo.exactFrame(of: startBeat) - Double(origin.rawValue)
        let last = tempo.exactFrame(of: end) - Double(origin.rawValue + length)
        return first < Take.slack && first > -Take.slack && last < Take.slack && last > -Take.slack
    }

    /// Gives the take, which ends on `end`, the tempo map that it was made on as its warp markers, if the tempo has
    /// changed meanwhile. O(changes · ``knotCapacity``).
    @_noLocks mutating func warp(along tempo: borrowing TempoMap, until end: Beat) {
        let segment = tempo.segment(at: startBeat)
        let isRamp = segment.rampBeats > startBeat - segment.startBeat
        if !isRamp, tempo.nextChange(after: startBeat) >= end.rawValue { return }
        let beats = end - startBeat
        // A take that ends where it began has a length nevertheless, but no tempo.
        if beats < Take.shortestBeats { return }
        var step = Take.knotBeats
        while beats > step * Take.mostSteps { step *= 2 }
        knots[0] = WarpKnot(position: 0, beat: 0)
        var count = 1
        // On the timeline, where a change is the same number each time that it is asked for: each pass goes on by a step or
        // a change.
        var place = startBeat
        var steps = 1.0
        while count < Take.knotCapacity - 1 {
            let change = tempo.nextChange(after: place)
            let mark = startBeat + steps * step
            let isStep = mark.rawValue <= change
            place = isStep ? mark : Beat(rawValue: change)
            let beat = isStep ? steps * step : place - startBeat
            if isStep { steps += 1 }
            if beat >= beats { break }
            let exact = tempo.exactFrame(of: place) - Double(origin.rawValue)
            let position = rt_floor(exact + 0.5)
            // Two knots on one frame would be a beat of no length.
            if position <= knots[count - 1].position || position >= Double(length) { continue }
            knots[count] = WarpKnot(position: position, beat: beat)
            count += 1
        }
        knots[count] = WarpKnot(position: Double(length), beat: beats)
        count += 1
        content.pointee.setWarp(WarpMap(knots: UnsafePointer(knots), count: count, loops: true))
        progress.pointee.knots.store(count, ordering: .releasing)
    }
}
