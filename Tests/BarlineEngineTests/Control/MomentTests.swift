import BarlineDSP
import BarlineEngine
import BarlineTime
import Synchronization
import Testing

/// What waits for a beat, a bar or a host time happens on its frame, whatever tempo and metre do meanwhile.
@Suite("Moments", .timeLimit(.minutes(10)))
struct MomentTests {
    private func engine(_ tempo: Tempo = 120, _ metre: TimeSignature = .common) -> Engine {
        Engine(
            EngineConfiguration(
                trackCount: 1, commandCapacity: 64, eventDelivery: .manual, tempo: tempo, timeSignature: metre,
                launchQuantization: .none))
    }

    /// The frames on which commands that have no frame of their own took effect.
    private func taken(_ recorder: Recorder) -> [CommandID: Int64] {
        var frames: [CommandID: Int64] = [:]
        for event in recorder.events {
            if case .commandTaken(let id) = event.kind { frames[id] = event.frame.rawValue }
        }
        return frames
    }

    @Test("A beat and a bar are met on their frames, for every size of block", arguments: [1, 64, 777, 8_192])
    func frames(blockFrames: Int) throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 500_000)
        let mixer = engine.mixer[.track(0)]
        let bar = try mixer.setGain(-3, at: Bar(3))
        let beat = try mixer.setGain(-6, at: Beat(2.5))
        let next = try mixer.setGain(-9, at: Bar.next)
        try engine.transport.start(at: FrameTime(1_000))
        recorder.render(400_000, .fixed(blockFrames))
        let frames = taken(recorder)
        // A beat takes 24 000 frames.
        #expect(frames[beat] == 1_000 + 60_000 && frames[bar] == 1_000 + 192_000 && frames[next] == 1_000)
    }

    @Test("What waits follows the tempo, a ramp and the metre")
    func changes() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 2_000_000)
        let beat = try engine.mixer[.main].setGain(-1, at: Beat(20))
        let bar = try engine.mixer[.main].setGain(-2, at: Bar(5))
        try engine.transport.start(at: FrameTime.zero)
        try engine.transport.setTempo(60, at: FrameTime(48_000))
        try engine.transport.setTempo(240, overBeats: 3, at: FrameTime(144_000))
        try engine.transport.setTimeSignature(TimeSignature(3, 4) ?? .common, at: FrameTime(150_000))
        recorder.render(1_500_000, .mixed(seed: 3))
        var reference = ReferenceTempo(frame: 0, beat: 0, tempo: 120, rate: 48_000)
        reference.change(at: 48_000, to: 60, ramp: 0)
        reference.change(at: 144_000, to: 240, ramp: 3)
        let frames = taken(recorder)
        #expect(frames[beat] == Int64(reference.frame(of: 20)))
        // At frame 150 000 the second bar is under way: two bars of four, then bars of three.
        #expect(frames[bar] == Int64(reference.frame(of: 14)))
    }

    @Test("What falls on one frame is done in the order in which it was sent")
    func order() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 200_000)
        try engine.transport.start(at: FrameTime.zero)
        try engine.mixer[.main].setGain(-1, at: Beat(4))
        try engine.mixer[.main].setGain(-2, at: FrameTime(96_000))
        try engine.mixer[.main].setGain(-3, at: Bar(2))
        try engine.mixer[.main].setGain(-4, at: FrameTime(96_000))
        try engine.mixer[.main].setGain(.silence, at: Beat(4))
        let clip = try engine.launcher.load(
            SampleBuffer(left: [Float](repeating: 0.5, count: 48_000), sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: nil))
        try engine.launcher.launch(clip, at: FrameTime(1_000))
        recorder.render(200_000)
        #expect(recorder.left()[90_000] == 0.5 && recorder.left()[97_000] == 0)
    }

    @Test("A beat does not come while the transport stands, and comes at once where it has passed")
    func standing() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 400_000)
        let waiting = try engine.mixer[.main].setGain(-1, at: Beat(1))
        recorder.render(100_000)
        #expect(taken(recorder)[waiting] == nil)
        try engine.transport.start()
        recorder.render(100_000)
        #expect(taken(recorder)[waiting] == 124_000)
        let late = try engine.mixer[.main].setGain(-2, at: Beat(1))
        recorder.render(1_000)
        #expect(taken(recorder)[late] == 200_000)
        #expect(
            recorder.events.contains { event in
                if case .commandLate(late, frames: 76_000) = event.kind { return true }
                return false
            })
    }

    @Test("A launch on bar 17 starts there")
    func launch() throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, tempo: 300, timeSignature: TimeSignature(3, 4) ?? .common))
        let recorder = Recorder(engine, frames: 600_000)
        let clip = try engine.launcher.load(
            SampleBuffer(left: [Float](repeating: 0.5, count: 9_600), sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: 1))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(clip, at: Bar(17))
        recorder.render(600_000)
        let start = recorder.events.first { event in
            if case .launcher(.started) = event.kind { return true }
            return false
        }
        #expect(start?.frame == FrameTime(16 * 3 * 9_600))
    }

    @Test("A host time is met on the frame for which the output asks then")
    func hostTime() throws {
        let engine = engine()
        let queue = engine.events.queue()
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
        outputs.initialize(to: nil)
        defer { outputs.deallocate() }
        let start = HostTime(rawValue: 5_000_000_000)
        let command = try engine.mixer[.main].setGain(-1, at: start + 1.5)
        for index in 0..<300 {
            var block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 0, frames: 480)
            block.hostTime = start + 0.01 * Double(index)
            engine.render(block)
        }
        let frame = queue.take().compactMap { event -> Int64? in
            if case .commandTaken(command) = event.kind { return event.frame.rawValue }
            return nil
        }
        #expect(frame.count == 1 && abs((frame.first ?? 0) - 72_000) <= 1)
    }

    @Test("Moments out of range are refused")
    func refused() {
        let strip = engine().mixer[.main]
        let moments: [any Moment] = [
            Beat(.nan), Beat(.infinity), Beat(1e12), Bar(.max / 2), Bar(-20_000_000), HostTime(rawValue: -1),
            FrameTime(-1),
        ]
        for moment in moments { #expect(throws: EngineError.self) { try strip.setGain(-1, at: moment) } }
    }

    @Test("The map is where beats and bars come to lie")
    func map() throws {
        let engine = engine(137, TimeSignature(7, 8) ?? .common)
        let recorder = Recorder(engine, frames: 1_000_000)
        try engine.transport.start(at: FrameTime(777))
        try engine.transport.setTempo(90, overBeats: 12, at: FrameTime(50_000))
        recorder.render(60_000)
        let map = engine.transport.map
        recorder.render(900_000)
        let lines = recorder.events.compactMap { event -> (Int64, FrameTime)? in
            if case .metronome(.pulse(let bar, 1, _)) = event.kind, event.frame >= map.now { return (bar, event.frame) }
            return nil
        }
        #expect(lines.count > 5)
        for (bar, frame) in lines {
            #expect(map.frame(of: Bar(Int(bar))) == frame && map.bar(at: frame) == Bar(Int(bar)))
        }
        #expect(map.tempo(at: FrameTime(900_000)) == 90 && map.isRolling)
    }

    @Test("Observers get every beat, bar, second and moment on its exact frame, across changes of tempo")
    func observers() throws {
        let engine = engine()
        let heard = Mutex<[String: [Int64]]>([:])
        func keep(_ name: String) -> @Sendable (TimelineTick) -> Void {
            { tick in heard.withLock { $0[name, default: []].append(tick.frame.rawValue) } }
        }
        let observations = [
            engine.transport.observe(every: .beats(1), keep("beats")),
            engine.transport.observe(every: .bars(2), keep("bars")),
            engine.transport.observe(every: .seconds(0.25), keep("seconds")),
            engine.transport.observe(at: [Beat(3.5), FrameTime(7), Bar(2)], keep("moments")),
        ]
        let recorder = Recorder(engine, frames: 500_000)
        try engine.transport.start(at: FrameTime(5_000))
        try engine.transport.setTempo(90, at: FrameTime(100_000))
        for _ in 0..<800 {
            recorder.render(600)
            engine.events.deliver()
        }
        var reference = ReferenceTempo(frame: 5_000, beat: 0, tempo: 120, rate: 48_000)
        reference.change(at: 100_000, to: 90, ramp: 0)
        var beats: [Int64] = []
        while case let frame = Int64(reference.frame(of: Double(beats.count))), frame < 480_000 { beats.append(frame) }
        let told = heard.withLock { $0 }
        #expect(told["beats"] == beats)
        #expect(told["bars"] == beats.enumerated().filter { $0.offset % 8 == 0 }.map(\.element))
        #expect(told["seconds"] == (0..<40).map { $0 * 12_000 })
        #expect(told["moments"] == [7, Int64(reference.frame(of: 3.5)), Int64(reference.frame(of: 4))])
        withExtendedLifetime(observations) {}
    }
}
