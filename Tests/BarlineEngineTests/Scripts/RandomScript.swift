import BarlineEngine

/// Writes scripts at random. A model plays along, so that commands can be aimed at boundaries and just beside them.
struct RandomScript {
    private var random: TestRandom
    private var script: Script
    private let model: ReferenceLauncher
    private var frame = 0

    /// A script of about `seconds`, the same for the same seed and rate.
    static func make(seed: UInt64, rate: Double, seconds: Double, keepsRolling: Bool = false) -> Script {
        var writer = RandomScript(seed: seed, rate: rate, seconds: seconds)
        writer.write(keepsRolling: keepsRolling)
        return writer.script
    }

    private init(seed: UInt64, rate: Double, seconds: Double) {
        random = TestRandom(seed: seed &* 31 &+ UInt64(rate))
        let setup = RandomScript.setup(rate: rate, &random)
        script = Script(seed: seed, setup: setup, length: Int(rate * seconds))
        model = ReferenceLauncher(setup)
    }

    private static func setup(rate: Double, _ random: inout TestRandom) -> Setup {
        var setup = Setup(rate: rate)
        setup.tempo = tempo(&random)
        setup.metre = metre(&random)
        setup.grid = random.pick(Grid.all)
        setup.tolerance = random.pick([0, 0.02, 0.02, 0.1, 0.5])
        setup.startsAtOnce = random.chance(0.25)
        setup.clips = (0..<10).map { index in
            var clip = ClipPlan()
            clip.track = index % setup.trackCount
            clip.sourceRate = random.pick([22_050, 32_000, 44_100, 48_000, 88_200, 96_000])
            clip.frames = random.int(2_000...60_000)
            // Played at its own tempo the clip runs at its own rate; the script's tempos are never far from that.
            let seconds = clip.length / clip.sourceRate
            clip.beats = max(0.05, (seconds * random.double(70...160) / 60 * 16).rounded() / 16)
            if random.chance(0.3) { clip.beats = seconds * random.double(70...160) / 60 }
            clip.loops = random.chance(0.8)
            clip.mode = random.pick([.trigger, .trigger, .gate, .toggle, .repeat])
            clip.start = random.pick([.fromStart, .fromStart, .legato, .synced])
            if random.chance(0.15) {
                clip.beats = nil
                if clip.start == .legato { clip.start = .fromStart }
            }
            clip.grid = random.chance(0.4) ? random.pick(Grid.all) : nil
            clip.amplitude = 0.2 + 0.06 * Float(index)
            return clip
        }
        return setup
    }

    private static func tempo(_ random: inout TestRandom) -> Double {
        switch random.int(0...5) {
        case 0: Double(random.int(60...240))
        case 1: Double(random.int(20...999))
        case 2: Double(random.int(600...1800)) / 10
        default: random.double(60...200)
        }
    }

    private static func metre(_ random: inout TestRandom) -> Metre {
        let (numerator, denominator) = random.pick([(4, 4), (4, 4), (3, 4), (7, 8), (5, 4), (6, 8), (2, 2), (11, 16)])
        return Metre(numerator: numerator, denominator: denominator)
    }

    private mutating func write(keepsRolling: Bool) {
        while frame < script.length {
            let step = step(keepsRolling: keepsRolling)
            script.steps.append((frame, step))
            model.give(step, at: frame)
            frame = nextFrame()
        }
    }

    /// Soon, at once, or on, just before or just after something that waits or repeats.
    private mutating func nextFrame() -> Int {
        model.advance(to: frame)
        if random.chance(0.2) { return frame }
        let later = frame + random.int(1...Int(script.setup.rate * 0.6))
        guard model.isRolling, random.chance(0.4) else { return later }
        let target: Int
        if let waiting = model.lanes.compactMap(\.waiting).first, random.chance(0.5) {
            target = model.frame(of: waiting)
        } else {
            let beat = (model.tempo.beat(at: later) * 4).rounded(.up) / 4
            target = model.tempo.frame(of: random.chance(0.5) ? beat.rounded(.up) : beat)
        }
        return max(frame, target + random.pick([-1, 0, 0, 0, 1, 2, 7, 100]))
    }

    private mutating func step(keepsRolling: Bool) -> Step {
        let clip = random.int(0...script.setup.clips.count - 1)
        let track = random.int(0...script.setup.trackCount - 1)
        switch random.int(0...39) {
        case 0...15: return .launch(clip)
        case 16...18: return .release(clip)
        case 19...21:
            let row = (0..<script.setup.trackCount).filter { _ in random.chance(0.6) }
            let rest = (0..<script.setup.trackCount).filter { !row.contains($0) && random.chance(0.5) }
            return .scene(row, stopping: rest, tempo: random.chance(0.4) ? RandomScript.tempo(&random) : nil)
        case 22...24: return .stop(track)
        case 25...26: return .stopNow(track)
        case 27: return .stopAll
        case 28: return random.chance(0.3) ? .stopAllNow : .launch(clip)
        case 29...30: return .tempo(RandomScript.tempo(&random), ramp: 0)
        case 31...33: return .tempo(RandomScript.tempo(&random), ramp: random.double(0.1...8))
        case 34...35: return .metre(RandomScript.metre(&random))
        case 36: return .grid(random.pick(Grid.all))
        case 37: return .tolerance(random.pick([0, 0.02, 0.1, 0.5]))
        case 38: return .startTransport
        default: return !keepsRolling && random.chance(0.5) ? .stopTransport : .launch(clip)
        }
    }
}
