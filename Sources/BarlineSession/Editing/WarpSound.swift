import BarlineAnalysis
import BarlineEngine
import Foundation

/// A clip's sound and its beats, from which markers are made.
struct WarpSound {
    let clip: ClipDocument
    let region: Range<Int>
    let rhythm: ClipRhythm
    /// Its beats as they are now, with the region's ends for markers; `nil` where its tempo is unknown.
    let line: WarpLine?

    init(_ clip: ClipDocument, _ binding: ClipBinding, frames: Int, _ rhythm: ClipRhythm) {
        self.clip = clip
        let region = clip.start..<(clip.end ?? frames)
        self.region = region
        self.rhythm = rhythm
        if let warped = try? clip.warped(region) {
            line = warped.line
        } else if let beats = binding.beats {
            let first = binding.firstBeat.map { Double($0 - region.lowerBound) / Double(region.count) * beats } ?? 0
            line = WarpLine(
                markers: [
                    WarpMarker(frame: region.lowerBound, beat: -first),
                    WarpMarker(frame: region.upperBound, beat: beats - first),
                ])
        } else {
            line = nil
        }
    }

    // MARK: Beats

    /// How far an attack may be from a beat that is heard, as a share of it, to be what is played on it.
    private static let reach = 0.15

    /// Markers on the beats that are heard; `nil` where there are fewer than two. `amount` is how much of the way from
    /// equally long beats they are moved, 0 … 1.
    func following(amount: Double) -> [WarpMarker]? {
        let detected = rhythm.beats.filter { $0 >= Double(region.lowerBound) && $0 < Double(region.upperBound) }
        guard detected.count >= 2 else { return nil }
        let period = (detected[detected.count - 1] - detected[0]) / Double(detected.count - 1)
        let frames = detected.map { beat in
            attack(near: beat, within: WarpSound.reach * period).map(Double.init) ?? beat.rounded()
        }
        let unit = beatsPerDetectedBeat(period)
        var number = numbers(frames, period: period, unit: unit)
        let length = Double(region.count) / period * unit
        if clip.loop {
            // A loop wraps on the beat.
            let whole = max(1, length.rounded())
            let start = number(Double(region.lowerBound))
            number = { frame in start + (frame - Double(region.lowerBound)) / Double(region.count) * whole }
        }
        let first = number(frames[0]).rounded(toMultipleOf: unit)
        let played = zip(frames.indices, frames).map { index, frame in
            let even = number(frame)
            let exact = first + Double(index) * unit
            return WarpMarker(frame: Int(frame), beat: even + (exact - even) * amount)
        }
        return withEnds(played, from: number(Double(region.lowerBound)), to: number(Double(region.upperBound)))
    }

    /// The beats of the clip to a beat that is heard: those who say a tempo of a clip know whether it is half of what
    /// is heard.
    private func beatsPerDetectedBeat(_ period: Double) -> Double {
        guard let line else { return 1 }
        let known = line.beat(at: Double(region.upperBound)) - line.beat(at: Double(region.lowerBound))
        return exp2(log2(known * period / Double(region.count)).rounded())
    }

    /// The beat of a frame where all were equally long: that of the region's start is whole where it is near a beat,
    /// else that of the first bar, or the first beat, is 0.
    private func numbers(_ frames: [Double], period: Double, unit: Double) -> (Double) -> Double {
        let before = (Double(region.lowerBound) - frames[0]) / period
        if abs(before - before.rounded()) < WarpSound.reach {
            let start = Double(region.lowerBound)
            return { ($0 - start) / period * unit }
        }
        let bar = rhythm.downbeats.first.flatMap { downbeat in frames.min { abs($0 - downbeat) < abs($1 - downbeat) } }
        let zero = bar ?? frames[0]
        return { ($0 - zero) / period * unit }
    }

    private func attack(near frame: Double, within reach: Double) -> Int? {
        attacks.min { abs(Double($0) - frame) < abs(Double($1) - frame) }.flatMap {
            abs(Double($0) - frame) <= reach ? $0 : nil
        }
    }

    private var attacks: [Int] { clip.onsets ?? rhythm.attacks }

    // MARK: Grid

    /// Markers that move the attacks to the places of a grid, `step` quarter notes apart; `nil` where the tempo is
    /// unknown.
    func quantized(to step: Double, amount: Double, swing: Double) -> [WarpMarker]? {
        guard let line else { return nil }
        var nearest: [Int: (frame: Int, beat: Double)] = [:]
        for frame in attacks where region.contains(frame) {
            let beat = line.beat(at: Double(frame))
            let place = place(nearestTo: beat, step, swing)
            let target = self.beat(ofPlace: place, step, swing)
            if let other = nearest[place], abs(other.beat - target) <= abs(beat - target) { continue }
            nearest[place] = (frame, beat)
        }
        let moved = nearest.sorted { $0.key < $1.key }.map { place, attack in
            WarpMarker(
                frame: attack.frame, beat: attack.beat + (beat(ofPlace: place, step, swing) - attack.beat) * amount)
        }
        return withEnds(
            moved, from: line.beat(at: Double(region.lowerBound)), to: line.beat(at: Double(region.upperBound)))
    }

    private func beat(ofPlace place: Int, _ step: Double, _ swing: Double) -> Double {
        place % 2 == 0 ? Double(place) * step : (Double(place - 1) + 2 * swing) * step
    }

    private func place(nearestTo beat: Double, _ step: Double, _ swing: Double) -> Int {
        let about = Int((beat / step).rounded(.down))
        return (about - 1...about + 2).min {
            abs(self.beat(ofPlace: $0, step, swing) - beat) < abs(self.beat(ofPlace: $1, step, swing) - beat)
        } ?? about
    }

    // MARK: Both

    /// How much faster or slower than the whole a piece between two markers may be.
    private static let steepest = 8.0

    /// Markers with the region's ends; those that would make a piece far too steep are left out.
    private func withEnds(_ markers: [WarpMarker], from first: Double, to last: Double) -> [WarpMarker] {
        let mean = (last - first) / Double(region.count)
        func isPlayable(_ one: WarpMarker, _ next: WarpMarker) -> Bool {
            let slope = (next.beat - one.beat) / Double(next.frame - one.frame)
            return next.frame > one.frame && slope > mean / WarpSound.steepest && slope < mean * WarpSound.steepest
        }
        var list = [WarpMarker(frame: region.lowerBound, beat: first)]
        let end = WarpMarker(frame: region.upperBound, beat: last)
        for marker in markers where isPlayable(list[list.count - 1], marker) && isPlayable(marker, end) {
            list.append(marker)
        }
        return list + [end]
    }
}

extension Double {
    fileprivate func rounded(toMultipleOf unit: Double) -> Double { (self / unit).rounded() * unit }
}
