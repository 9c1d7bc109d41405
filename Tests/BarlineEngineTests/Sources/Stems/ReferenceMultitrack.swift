/// Where stems are and how loud, frame by frame, computed from a list of actions alone.
struct ReferenceMultitrack {
    /// What is done to the stems, in engine frames.
    enum Step {
        case play
        case pause
        case seek(Int)
        case loop(Range<Int>)
        case endLoop
    }

    /// One uninterrupted run: from `position` at `start` on.
    private struct Run {
        let start: Int
        let position: Int
        let fadesIn: Bool
        var leaves = Int.max

        func envelope(_ frame: Int, fade: Int) -> Double {
            func entering(_ frame: Int) -> Double { fadesIn ? min(1, Double(frame - start) / Double(fade)) : 1 }
            if frame < start { return 0 }
            if frame < leaves { return entering(frame) }
            return entering(leaves) * max(0, 1 - Double(frame - leaves) / Double(fade))
        }

        func place(_ frame: Int) -> Int { position + frame - start }
    }

    /// Frames of a fade.
    let fade: Int
    private var runs: [Run] = []

    /// Plays `steps`.
    ///
    /// - Parameters:
    ///   - steps: in order of frame.
    ///   - length: the longest stem's.
    ///   - frames: how far the timeline goes.
    ///   - fade: frames of a fade.
    init(_ steps: [(frame: Int, step: Step)], length: Int, frames: Int, fade: Int) {
        self.fade = fade
        var steps = steps[...]
        var held = 0
        var playing: Int?
        var loop: Range<Int>?
        for frame in 0..<frames {
            if let run = playing, let region = loop, runs[run].place(frame) == region.upperBound {
                runs[run].leaves = frame
                playing = runs.count
                runs.append(Run(start: frame, position: region.lowerBound, fadesIn: true))
            }
            if let run = playing, runs[run].place(frame) >= max(length, loop.map { $0.upperBound } ?? 0) {
                runs[run].leaves = frame
                playing = nil
                held = 0
            }
            while let next = steps.first, next.frame == frame {
                steps.removeFirst()
                switch next.step {
                case .play:
                    guard playing == nil else { continue }
                    playing = runs.count
                    runs.append(Run(start: frame, position: held, fadesIn: held > 0))
                case .pause:
                    guard let run = playing else { continue }
                    runs[run].leaves = frame
                    held = runs[run].place(frame)
                    playing = nil
                case .seek(let position):
                    if let run = playing {
                        runs[run].leaves = frame
                        playing = runs.count
                        runs.append(Run(start: frame, position: position, fadesIn: true))
                    } else {
                        held = position
                    }
                case .loop(let region): loop = region
                case .endLoop: loop = nil
                }
            }
        }
    }

    /// Whether the stems play at `frame`.
    func isPlaying(at frame: Int) -> Bool { runs.contains { $0.start <= frame && frame < $0.leaves } }

    /// What is heard at `frame`: positions and their weights.
    func sounding(at frame: Int) -> [(position: Int, weight: Double)] {
        runs.compactMap { run in
            let weight = run.envelope(frame, fade: fade)
            return weight > 0 ? (run.place(frame), weight) : nil
        }
    }
}
