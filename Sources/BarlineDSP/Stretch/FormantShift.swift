import BarlineTime
import CKernels
import Foundation

/// Moves the formants of a sound, the resonances that make a voice that of a man, a woman or a child, and leaves its
/// pitch alone: so that a voice that was transposed stays the same person's.
///
/// In windows of 43 ms the spectrum is multiplied by the ratio of its envelope, shifted, to the envelope itself. That
/// is the true envelope: a cepstrally smoothed spectrum, raised in steps until no partial exceeds it (Röbel and Rodet,
/// "Efficient spectral envelope estimation and its application to pitch shifting and envelope preservation", 2005). How
/// far it is smoothed follows from the distance of the partials, which is where the cepstrum has its peak (Noll,
/// "Cepstrum pitch determination", 1967). The gains are real, so that phases, and with them attacks and the stereo
/// image, stay as they are.
///
/// Not for the audio thread: it allocates, and takes a fraction of a microsecond a frame.
package final class FormantShift {
    private let tables: StretchTables
    private let work: StretchWork
    private let ratio: Double
    private let sampleRate: Double
    private let hop: Int
    private var envelope: [Float]
    private var target: [Float]

    /// How often the smoothed spectrum is raised at most, and the distance at which a partial no more exceeds it: 1 dB,
    /// in units of e.
    private static let longestSearch = 10
    private static let tolerance: Float = 0.115
    /// The range below the loudest partial that has an envelope, and the largest gain: 70 and 24 dB, in units of e.
    private static let depth: Float = 8.06
    private static let largestGain: Float = 2.76
    /// The fundamentals that are looked for, in Hz, and the longest time over which the cepstrum is kept, in seconds.
    private static let fundamentals = 70.0...800.0
    private static let longestLifter = 0.007
    /// A peak of the cepstrum at the shortest distance that is as high as this part of the highest one is the period: its
    /// multiples may be higher.
    private static let periodShare: Float = 0.8
    /// How long the filter responds on either side, in seconds.
    private static let response = 0.008

    /// Creates a filter that multiplies the frequencies of formants by `ratio`.
    package init(ratio: Double, sampleRate: SampleRate) {
        tables = StretchTables(size: StretchTables.size(at: sampleRate) / 2)
        work = StretchWork(size: tables.size)
        self.ratio = ratio
        self.sampleRate = sampleRate.hertz
        hop = tables.size / 4
        envelope = Array(repeating: 0, count: tables.size / 2 + 1)
        target = envelope
    }

    deinit {
        work.deallocate()
        tables.deallocate()
    }

    /// Filters both channels with the same gains. A loop is filtered around its seam: windows are laid evenly over it.
    ///
    /// - Complexity: O(*n* log *n*) in the length of a window, for each hop.
    package func apply(left: inout [Float], right: inout [Float], loops: Bool) {
        let size = tables.size
        let count = left.count
        var sums = (left: [Float](repeating: 0, count: count), right: [Float](repeating: 0, count: count))
        var weights = [Float](repeating: 0, count: count)
        let grains = loops ? max(1, (count + hop - 1) / hop) : (count + size) / hop + 1
        for grain in 0..<grains {
            let first = loops ? grain * count / grains - size / 2 : grain * hop - size
            func frame(_ index: Int) -> Int? {
                let place = first + index
                if loops { return (place % count + count) % count }
                return (0..<count).contains(place) ? place : nil
            }
            for index in 0..<size {
                let place = frame(index)
                work.left[index] = place.map { left[$0] } ?? 0
                work.right[index] = place.map { right[$0] } ?? 0
            }
            filter()
            let scale = 1 / Float(size)
            for index in 0..<size {
                guard let place = frame(index) else { continue }
                let window = tables.window[index]
                sums.left[place] += work.time.real[index] * window * scale
                sums.right[place] += work.time.imaginary[index] * window * scale
                weights[place] += window * window
            }
        }
        for index in 0..<count {
            left[index] = weights[index] > 0 ? sums.left[index] / weights[index] : 0
            right[index] = weights[index] > 0 ? sums.right[index] / weights[index] : 0
        }
    }

    /// How many frames a window has, and how far it is from one to the next.
    package var windowFrames: Int { tables.size }
    package var hopFrames: Int { hop }

    /// Filters one window of a stream and adds it to sums of as many frames. Where windows begin at every multiple of a
    /// hop, the sums of all that reach a frame are the frame, filtered: the same wherever the stream was entered.
    package func addWindow(
        _ frame: (Int) -> StereoFrame, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        let size = tables.size
        for index in 0..<size {
            let sample = frame(index)
            work.left[index] = sample.left
            work.right[index] = sample.right
        }
        filter()
        for index in 0..<size {
            var weight: Float = 0
            for place in stride(from: index % hop, to: size, by: hop) {
                weight += tables.window[place] * tables.window[place]
            }
            let scale = tables.window[index] / (Float(size) * weight)
            left[index] += work.time.real[index] * scale
            right[index] += work.time.imaginary[index] * scale
        }
    }

    /// Filters the frames in `work`, windowed, into `work.time`.
    private func filter() {
        let size = tables.size
        var transform = tables.transform
        dsp_take_window(work.left, work.right, tables.window, work.time, size)
        dsp_run_transform(&transform, work.time, work.spectrum, work.stage)
        dsp_bin_energies(work.spectrum, work.energies, size)
        if findEnvelope() {
            var (before, after): (Double, Double) = (0, 0)
            for bin in 0...size / 2 {
                target[bin] = expf(max(-Self.largestGain, min(Self.largestGain, shifted(bin) - envelope[bin])))
            }
            // Gains that a filter of 8 ms on either side has: an attack is not heard before that.
            smooth(&target) { _ in Int(Self.response * sampleRate) }
            for bin in 0...size / 2 {
                let gain = target[bin]
                before += Double(work.energies[bin])
                after += Double(work.energies[bin]) * Double(gain) * Double(gain)
            }
            // It stays as loud as it is.
            let level = after > 0 ? Float((before / after).squareRoot()) : 1
            for bin in 0..<size {
                let gain = target[bin <= size / 2 ? bin : size - bin] * level
                work.spectrum.real[bin] *= gain
                work.spectrum.imaginary[bin] *= gain
            }
        }
        dsp_run_transform(&transform, work.spectrum.exchanged, work.time.exchanged, work.stage.exchanged)
    }

    /// The envelope at the place from which it is moved to `bin`.
    private func shifted(_ bin: Int) -> Float {
        let place = Double(bin) / ratio
        let low = Int(place)
        guard low + 1 < envelope.count else { return envelope[envelope.count - 1] }
        let part = Float(place - Double(low))
        return envelope[low] * (1 - part) + envelope[low + 1] * part
    }

    /// Finds the envelope of the spectrum; `false` if it is silent.
    private func findEnvelope() -> Bool {
        let half = tables.size / 2
        var loudest: Float = 0
        for bin in 0...half { loudest = max(loudest, work.energies[bin]) }
        guard loudest > 1e-12, loudest < .greatestFiniteMagnitude else { return false }
        let floor = 0.5 * logf(loudest) - Self.depth
        for bin in 0...half {
            let level = work.energies[bin] > 0 ? 0.5 * logf(work.energies[bin]) : floor
            target[bin] = max(level, floor)
        }
        envelope = target
        var order: Int?
        for _ in 0..<Self.longestSearch {
            smooth(&envelope) { cepstrum in
                let known = order ?? self.order(cepstrum)
                order = known
                return known
            }
            var excess: Float = 0
            for bin in 0...half { excess = max(excess, target[bin] - envelope[bin]) }
            if excess < Self.tolerance { break }
            for bin in 0...half { envelope[bin] = max(envelope[bin], target[bin]) }
        }
        return true
    }

    /// Smooths a spectrum by leaving out all of its cepstrum from `order` of that on.
    private func smooth(_ values: inout [Float], order: (UnsafeMutablePointer<Float>) -> Int) {
        let size = tables.size
        var transform = tables.transform
        for bin in 0..<size {
            work.time.real[bin] = values[bin <= size / 2 ? bin : size - bin]
            work.time.imaginary[bin] = 0
        }
        dsp_run_transform(&transform, work.time, work.earlier, work.stage)
        let order = order(work.earlier.real)
        for place in 0..<size {
            let distance = min(place, size - place)
            // A Hamming window keeps the smoothed spectrum from ringing.
            let weight: Float
            if distance < order {
                weight = 0.54 + 0.46 * cosf(.pi * Float(distance) / Float(order))
            } else {
                weight = 0
            }
            work.time.real[place] = work.earlier.real[place] * weight / Float(size)
            work.time.imaginary[place] = 0
        }
        dsp_run_transform(&transform, work.time, work.earlier, work.stage)
        for bin in 0...size / 2 { values[bin] = work.earlier.real[bin] }
    }

    /// How much of a cepstrum is the envelope's: up to half of the period of the fundamental.
    private func order(_ cepstrum: UnsafeMutablePointer<Float>) -> Int {
        let shortest = Int(sampleRate / Self.fundamentals.upperBound)
        let longest = min(tables.size / 2 - 1, Int(sampleRate / Self.fundamentals.lowerBound))
        var period = shortest
        for place in shortest...max(shortest, longest) where cepstrum[place] > cepstrum[period] { period = place }
        let least = Self.periodShare * cepstrum[period]
        let first = (shortest..<period).first {
            cepstrum[$0] >= least && cepstrum[$0] > cepstrum[$0 - 1] && cepstrum[$0] >= cepstrum[$0 + 1]
        }
        period = first ?? period
        return max(4, min(period / 2, Int(Self.longestLifter * sampleRate)))
    }
}
