import BarlineEngine
import Foundation

/// Compares what every track of a script plays with where the model says that its clips are, and how loud.
struct PhaseCheck {
    let script: Script
    let recorder: Recorder
    let model: ReferenceLauncher
    /// In source frames.
    var tolerance = 0.01

    init(script: Script, recorder: Recorder) {
        self.script = script
        self.recorder = recorder
        model = script.model()
    }

    /// A clip that sounds over a range of frames: what plays, or what comes in before its boundary.
    private struct Sound {
        let clip: Int
        let origin: Double
        let run: Int
        let envelope: Envelope
        let frames: Range<Int>
    }

    func firstFault() -> String? {
        for track in model.lanes.indices {
            if let fault = fault(on: track) { return fault }
        }
        return nil
    }

    /// The frames of a track over which something fades out, of which the model has no notion.
    private func isUnknown(on track: Int) -> [Bool] {
        var isUnknown = [Bool](repeating: false, count: script.length)
        func mark(_ range: Range<Int>) { for frame in range.clamped(to: 0..<script.length) { isUnknown[frame] = true } }
        for take in model.takes where take.lane == track {
            guard let stop = take.stop else { continue }
            // A clip that plays once fades over its last 5 ms.
            mark(
                take.endedByItself
                    ? max(take.start, stop - tail(of: take, stop: stop))..<stop : stop..<stop + model.fade)
        }
        for lead in model.leads where lead.lane == track && lead.wasTakenBack {
            if let end = lead.end { mark(end..<end + model.fade) }
        }
        return isUnknown
    }

    private func sounds(on track: Int) -> [Sound] {
        var sounds = model.takes.filter { $0.lane == track }.map { take in
            Sound(
                clip: take.clip, origin: take.origin, run: take.run, envelope: take.envelope,
                frames: take.start..<max(take.start, take.stop ?? script.length))
        }
        for lead in model.leads where lead.lane == track {
            sounds.append(
                Sound(
                    clip: lead.clip, origin: lead.origin, run: lead.run, envelope: lead.envelope,
                    frames: lead.first..<max(lead.first, lead.end ?? script.length)))
        }
        return sounds.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }

    private func fault(on track: Int) -> String? {
        let left = recorder.left(track: track)
        let right = recorder.right(track: track)
        let isUnknown = isUnknown(on: track)
        var waiting = sounds(on: track)[...]
        var sounding: [Sound] = []
        for frame in 0..<script.length {
            while let next = waiting.first, next.frames.lowerBound <= frame {
                sounding.append(next)
                waiting.removeFirst()
            }
            if sounding.contains(where: { $0.frames.upperBound <= frame }) {
                sounding.removeAll { $0.frames.upperBound <= frame }
            }
            if isUnknown[frame] { continue }
            if let fault = fault(of: sounding, left[frame], right[frame], at: frame) {
                return "track \(track), frame \(frame): \(fault)"
            }
        }
        return nil
    }

    /// A clip that plays once fades over its last 5 ms; where the tempo moved by then, its end moved too.
    private func tail(of take: ReferenceLauncher.Take, stop: Int) -> Int {
        let far = 60 * model.fade
        let hasMoved = model.tempoChanges.contains { $0 >= stop - far && $0 <= stop }
        return hasMoved ? far : model.fade
    }

    private func fault(of sounds: [Sound], _ left: Float, _ right: Float, at frame: Int) -> String? {
        if sounds.isEmpty { return left == 0 && right == 0 ? nil : "\(left), \(right) where the model is silent" }
        var sum = (left: 0.0, right: 0.0)
        for sound in sounds {
            let clip = model.clips[sound.clip]
            let position = model.position(sound.clip, sound.origin, sound.run, at: frame)
            // A clip that plays once has nothing to tell outside its file, nor within the filter of its end.
            if !clip.loops, position > clip.length || position < Double(300 - Quadrature.margin) { return nil }
            let level = Double(clip.amplitude) * sound.envelope.level(at: frame)
            let angle = 2 * Double.pi * position / clip.length
            sum = (sum.left + level * sin(angle), sum.right + level * cos(angle))
            if sounds.count > 1 || level < 0.05 { continue }
            let heard = Quadrature.decode(left, right, length: clip.length)
            let error = Quadrature.distance(heard.position, position, length: clip.length)
            if error > tolerance {
                return "clip \(sound.clip) is at \(heard.position), in the model at \(position)"
            }
        }
        let error = hypot(Double(left) - sum.left, Double(right) - sum.right)
        return error > 3e-4 * Double(sounds.count) ? "\(left), \(right); the model has \(sum), of \(sounds.count)" : nil
    }
}
