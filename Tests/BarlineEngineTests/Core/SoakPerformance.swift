import BarlineDSP
import BarlineEngine
import BarlineTime

/// One engine on which minute after minute is played at random, each compared with a model of its own.
final class SoakPerformance {
    /// What was asked for so far.
    private(set) var verbs = 0
    /// Events that were on the model's frames.
    private(set) var events = 0
    /// The sum of all samples, which is no number where one was none.
    private(set) var heard: Float = 0

    private let engine: Engine
    private let setup: Setup
    private let clips: [ClipHandle]
    private let queue: EventQueue
    private var random: TestRandom
    private var frame = 0
    private var happenings: [Happening] = []
    /// Clips and pads that are loaded and not launched, so that content comes and goes.
    private var others: [ClipHandle] = []
    private var pads: [PadHandle] = []
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let samples: UnsafeMutablePointer<Float>
    private let channels: Int

    private static let largestBlock = 2_048

    init(seed: UInt64) throws {
        random = TestRandom(seed: seed)
        var setup = RandomScript.make(seed: seed, rate: 48_000, seconds: 1).setup
        setup.startsAtOnce = false
        self.setup = setup
        let engine = Engine(setup.configuration)
        self.engine = engine
        queue = engine.events.queue()
        clips = try setup.clips.map {
            try engine.launcher.load(Quadrature.buffer($0), settings: Quadrature.settings($0))
        }
        channels = 2 * engine.configuration.busCount
        outputs = .allocate(capacity: channels)
        samples = .allocate(capacity: channels * SoakPerformance.largestBlock)
        samples.initialize(repeating: 0, count: channels * SoakPerformance.largestBlock)
        for channel in 0..<channels { outputs[channel] = samples + channel * SoakPerformance.largestBlock }
    }

    deinit {
        outputs.deallocate()
        samples.deallocate()
    }

    /// Plays a minute.
    ///
    /// - Returns: where the engine's account of it differs from the model's; `nil` where it does not.
    func play(minute: Int) throws -> String? {
        let script = RandomScript.make(seed: UInt64(1_000 + minute), rate: setup.rate, seconds: 60)
        var plan = script.setup
        plan.clips = setup.clips
        plan.startsAtOnce = false
        // Each minute begins at rest.
        try engine.launcher.stopAllNow()
        try engine.transport.stop()
        for step in [Step.tempo(plan.tempo, ramp: 0), .metre(plan.metre), .grid(plan.grid), .tolerance(plan.tolerance)]
        {
            try step.send(to: engine, clips: clips, at: nil)
        }
        try exchange()
        render(9_600)
        happenings = []
        let start = frame
        // It counts from the minute's start, where its positions are as precise as those of the first minute.
        let model = ReferenceLauncher(plan)
        var steps = script.steps[...]
        while frame < start + script.length {
            while let step = steps.first, start + step.frame <= frame + SoakPerformance.largestBlock {
                steps.removeFirst()
                try step.step.send(to: engine, clips: clips, at: max(frame, start + step.frame))
                model.give(step.step, at: step.frame)
                verbs += 1
            }
            if random.chance(0.05) { try disturb() }
            render(min(start + script.length - frame, random.int(1...SoakPerformance.largestBlock)))
        }
        model.advance(to: script.length)
        events += happenings.count
        for index in happenings.indices { happenings[index].frame -= start }
        return Script.difference(happenings, model.happenings, lanes: model.lanes.count)
    }

    private func render(_ count: Int) {
        var left = count
        while left > 0 {
            let size = min(left, SoakPerformance.largestBlock)
            engine.render(AudioBlock(outputs: outputs, outputCount: channels, frames: size))
            for channel in 0..<channels { for index in 0..<size { heard += outputs[channel]?[index] ?? 0 } }
            frame += size
            left -= size
            happenings += queue.take().compactMap(Happening.init)
        }
    }

    /// Something of which the launcher's model has no notion, and which moves nothing in it.
    private func disturb() throws {
        verbs += 1
        let strip = engine.mixer[.track(TrackIndex(random.int(0...setup.trackCount - 1)))]
        switch random.int(0...5) {
        case 0: try strip.setGain(Decibels(random.double(-40...0)), over: .beats(random.double(0...4)))
        case 1: try strip.setPan(random.double(-1...1))
        case 2: if let pad = pads.first { try engine.sampler.trigger(pad, velocity: random.double(0...1)) }
        case 3: engine.metronome.isOn.toggle()
        case 4:
            let send = strip.send(to: .main)
            try send.setLevel(Decibels(random.double(-40...0)), over: .beats(random.double(0...4)))
            try send.setPreFader(random.chance(0.5))
        default:
            let effect = try engine.mixer.insert(EffectSettings(.filter), on: .channel(.track(TrackIndex(0))))
            try engine.mixer.remove(effect)
        }
    }

    /// Throws away what was loaded for the minute before, and loads something else.
    private func exchange() throws {
        for clip in others { try engine.launcher.unload(clip) }
        for pad in pads { try engine.sampler.unload(pad) }
        var plan = ClipPlan()
        plan.frames = random.int(2_000...60_000)
        others = [try engine.launcher.load(Quadrature.buffer(plan), settings: Quadrature.settings(plan))]
        pads = [try engine.sampler.load(Quadrature.buffer(plan))]
        verbs += 4
    }
}
