import BarlineEngine

/// Compares what every track of a script plays with where the model says that its clip is.
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

    func firstFault() -> String? {
        for track in model.lanes.indices {
            if let fault = fault(on: track) { return fault }
        }
        return nil
    }

    private func fault(on track: Int) -> String? {
        let left = recorder.left(track: track)
        let right = recorder.right(track: track)
        var fadeEnd = 0
        var frame = 0
        for take in model.takes where take.lane == track {
            // Nothing plays between two takes.
            if let silence = silence(left, right, from: max(frame, fadeEnd), to: take.start) { return silence }
            let stop = take.stop ?? script.length
            let first = max(take.fadesIn ? take.start + model.fade : take.start, fadeEnd)
            let last = take.endedByItself ? stop - tail(of: take, stop: stop) : stop
            if first < last, let fault = fault(of: take, left, right, first..<last) { return fault }
            frame = stop
            // Successive takes on one track may each still be fading out.
            if !take.endedByItself { fadeEnd = max(fadeEnd, stop + model.fade) }
        }
        return silence(left, right, from: max(frame, fadeEnd), to: script.length)
    }

    /// A clip that plays once fades over its last 5 ms; where the tempo moved by then, its end moved too.
    private func tail(of take: ReferenceLauncher.Take, stop: Int) -> Int {
        let far = 60 * model.fade
        let hasMoved = model.tempoChanges.contains { $0 >= stop - far && $0 <= stop }
        return hasMoved ? far : model.fade
    }

    private func silence(
        _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>, from first: Int, to last: Int
    ) -> String? {
        guard first < last else { return nil }
        for frame in first..<last where left[frame] != 0 || right[frame] != 0 {
            return "frame \(frame): \(left[frame]), \(right[frame]) where the model is silent"
        }
        return nil
    }

    private func fault(
        of take: ReferenceLauncher.Take, _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>,
        _ range: Range<Int>
    ) -> String? {
        let clip = model.clips[take.clip]
        for frame in range {
            let expected = model.position(take, at: frame)
            // A clip that plays once has nothing to tell outside its region.
            if !clip.loops, expected < 0 || expected > clip.length { continue }
            let heard = Quadrature.decode(left[frame], right[frame], length: clip.length)
            let error = Quadrature.distance(heard.position, expected, length: clip.length)
            if error > tolerance || abs(heard.amplitude - Double(clip.amplitude)) > 2e-4 {
                return "track \(take.lane), frame \(frame), clip \(take.clip) from \(take.start): position "
                    + "\(heard.position), amplitude \(heard.amplitude); the model has \(expected), \(clip.amplitude)"
            }
        }
        return nil
    }
}
