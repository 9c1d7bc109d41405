import Foundation

/// The tempo and the phase of a MIDI clock, estimated from the times at which its ticks came.
///
/// Ticks come unevenly by what cables and queues add: a Kalman filter (R. E. Kalman, *A New Approach to
/// Linear Filtering and Prediction Problems*, 1960) follows the time of a tick and the time between two. Three ticks in a
/// row that are on one side of what was expected are another tempo, which the filter is opened for; a single one that is
/// very late counts a tenth.
struct ClockEstimate {
    /// The number of the latest tick, counted from 0; ticks that did not come are counted.
    private(set) var count: Int64 = 0
    /// The time of the latest tick, in seconds.
    private(set) var time = 0.0
    /// The time between two ticks, in seconds; 0 until there were two.
    private(set) var period = 0.0

    /// The variances of the time and of the period, and their covariance.
    private var timeVariance = 0.0
    private var periodVariance = 0.0
    private var covariance = 0.0
    /// When the latest tick came; `nil` before there was one.
    private var arrival: Double?
    /// How many ticks in a row were later than expected, or, below 0, earlier.
    private var run = 0
    /// How many ticks in a row were nowhere near the expected time, each farther from it than the one before, by how much
    /// the latest was, and how many between them were taken for missing.
    private var strays = 0
    private var strayError = 0.0
    private var missing: Int64 = 0

    /// The variance of a tick's time: that of 1 ms.
    private static let jitter = 1e-6
    /// By how much the variance of the period grows with each tick.
    private static let drift = 1e-13
    /// So many standard deviations from what was expected belong to a run, or are an outlier.
    private static let suspect = 2.0
    private static let outlier = 4.0
    /// So many in a row are no accident.
    private static let longestRun = 3
    /// The part of the period by which a stray differs from what was expected, and by which the next one has to differ
    /// more: what is late by chance is not late by more each time.
    private static let strayPart = 0.25
    private static let strayGrowth = 0.125
    /// So many periods without a tick are a clock that is gone.
    private static let lostPeriods = 8.0

    /// The tempo in quarter notes per minute; 0 until there were two ticks.
    var beatsPerMinute: Double { period > 0 ? 60 / (ClockEstimate.ticksPerBeat * period) : 0 }

    /// The ticks of a quarter note.
    static let ticksPerBeat = 24.0

    /// The number of ticks at `seconds`, with their fractions.
    func ticks(at seconds: Double) -> Double {
        Double(count) + (period > 0 ? (seconds - time) / period : 0)
    }

    /// Whether ticks have stopped coming by `seconds`.
    func isLost(at seconds: Double) -> Bool { period > 0 && seconds - time > ClockEstimate.lostPeriods * period }

    /// Takes a tick that came at `seconds`.
    mutating func add(_ seconds: Double) {
        guard let former = arrival else {
            (arrival, time) = (seconds, seconds)
            return
        }
        // Of two at one time one is a repetition.
        if seconds <= former { return }
        defer { arrival = seconds }
        if period == 0 {
            count += 1
            restart(seconds, after: former)
            return
        }
        let steps = predict(to: seconds)
        let error = seconds - time
        if abs(error) > ClockEstimate.strayPart * period || steps > 1 {
            let growth = error > 0 ? error - strayError : strayError - error
            let goesOn = strays > 0 && (steps > 1 || growth > ClockEstimate.strayGrowth * period)
            (strays, missing) = goesOn ? (strays + 1, missing + steps - 1) : (1, steps - 1)
            strayError = error
            if strays >= ClockEstimate.longestRun {
                // None was missing: this is another tempo altogether.
                count -= missing
                restart(seconds, after: former)
                return
            }
        } else {
            (strays, missing) = (0, 0)
        }
        correct(by: error)
        assert(checkInvariants(), "a period is above 0, and variances are not below")
    }

    /// Takes a tick that came at `seconds` and that a beat begins with, whatever came before: clocks that were at rest may
    /// begin their ticks anew.
    mutating func begin(_ seconds: Double) {
        guard period > 0 else { return add(seconds) }
        count += 1
        (time, arrival) = (seconds, seconds)
        (timeVariance, covariance) = (ClockEstimate.jitter, 0)
        (run, strays, missing) = (0, 0, 0)
        assert(checkInvariants(), "a period is above 0, and variances are not below")
    }

    /// Whether the invariants hold.
    private func checkInvariants() -> Bool { period > 0 && timeVariance >= 0 && periodVariance >= 0 }

    /// Begins anew with two ticks.
    private mutating func restart(_ seconds: Double, after former: Double) {
        (time, period) = (seconds, seconds - former)
        (timeVariance, covariance, periodVariance) = (
            ClockEstimate.jitter, ClockEstimate.jitter, 2 * ClockEstimate.jitter
        )
        (run, strays, missing) = (0, 0, 0)
    }

    /// Moves to the tick that is expected at about `seconds`; returns how many ticks further that is.
    private mutating func predict(to seconds: Double) -> Int64 {
        // Late is more likely than missing.
        let steps = max(1, ((seconds - time) / period + ClockEstimate.strayPart).rounded(.down))
        count += Int64(steps)
        time += steps * period
        timeVariance += steps * (2 * covariance + steps * periodVariance)
        covariance += steps * periodVariance
        periodVariance += steps * ClockEstimate.drift
        return Int64(steps)
    }

    private mutating func correct(by error: Double) {
        let deviation = error / (timeVariance + ClockEstimate.jitter).squareRoot()
        if deviation > ClockEstimate.suspect {
            run = max(run, 0) + 1
        } else if deviation < -ClockEstimate.suspect {
            run = min(run, 0) - 1
        } else {
            run = 0
        }
        var weight = 1.0
        if abs(run) >= ClockEstimate.longestRun {
            let step = error / Double(ClockEstimate.longestRun)
            timeVariance += ClockEstimate.jitter
            periodVariance += step * step
            run = 0
        } else if deviation > ClockEstimate.outlier {
            weight = 0.1
        }
        let whole = timeVariance + ClockEstimate.jitter
        let (timeGain, periodGain) = (weight * timeVariance / whole, weight * covariance / whole)
        time += timeGain * error
        // Between nearly equal times noise could make it anything.
        period = max(period / 2, period + periodGain * error)
        periodVariance = max(0, periodVariance - periodGain * covariance)
        covariance -= timeGain * covariance
        timeVariance -= timeGain * timeVariance
    }
}
