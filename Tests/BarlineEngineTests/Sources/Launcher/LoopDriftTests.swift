import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Loops never drift, however long they run and however far the frame counter has come.
@Suite("Loops do not drift")
struct LoopDriftTests {
    @Test("Wrap k of 10 000 at an irrational ratio is on frame(b0 + k·L)")
    func tenThousandWraps() throws {
        var setup = Setup(rate: 44_100, trackCount: 1, tempo: 40 * Double.pi, startsAtOnce: true)
        let beats = 2.0.squareRoot() / 64
        setup.clips = [ClipPlan(frames: 500, sourceRate: 48_000, beats: beats)]
        let period = beats * 60 * 44_100 / (40 * Double.pi)
        let script = Script(setup: setup, steps: [(frame: 17, step: .launch(0))], length: Int(period * 10_001))
        let recorder = Recorder(try script.engine(), frames: script.length)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(script.length, .mixed(seed: 3))
        var count = 0
        for happening in recorder.events.compactMap(Happening.init) {
            guard case .looped(_, let iteration) = happening.kind else { continue }
            count += 1
            #expect(iteration == count)
            #expect(happening.frame == 17 + Int((Double(count) * period).rounded()))
        }
        #expect(count == 10_000)
    }

    @Test("After 24 hours of rolling a launch is on its frame and in phase")
    func aDayOfRolling() throws {
        let tempo = 120 + 1 / Double.pi
        let engine = Engine(
            EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: tempo), launchQuantization: .bars(1)))
        let plan = ClipPlan(frames: 24_000, beats: 2.0.squareRoot())
        let clip = try engine.launcher.load(Quadrature.buffer(plan), settings: Quadrature.settings(plan))
        try engine.transport.start(at: FrameTime.zero)
        let day = 24 * 3_600 * 48_000
        let scratch = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
        scratch.initialize(to: nil)
        defer { scratch.deallocate() }
        for _ in 0..<day / 8_192 {
            engine.render(AudioBlock(outputs: UnsafePointer(scratch), outputCount: 0, frames: 8_192))
        }
        let now = day / 8_192 * 8_192
        #expect(engine.state.frame.rawValue == Int64(now))
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 200_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(200_000)
        let reference = ReferenceTempo(frame: 0, beat: 0, tempo: tempo, rate: 48_000)
        let boundary = (reference.beat(at: now) / 4).rounded(.up) * 4
        let start = recorder.events.compactMap(Happening.init).first { $0.kind == .started(clip: 0) }
        #expect(start?.frame == reference.frame(of: boundary))
        for frame in stride(from: reference.frame(of: boundary), to: now + 200_000, by: 97) {
            let heard = Quadrature.decode(recorder.left()[frame - now], recorder.right()[frame - now], length: 24_000)
            let expected = (reference.beat(at: frame) - boundary) / 2.0.squareRoot() * 24_000
            #expect(Quadrature.distance(heard.position, expected, length: 24_000) < 0.01)
        }
    }

    /// A renderer without its engine, which can be placed anywhere on the timeline.
    private final class FarRenderer {
        private let configuration: EngineConfiguration
        private let link: EngineLink
        private let prepared: PreparedClip
        private let clicks = PreparedClicks(ClickSounds(), sampleRate: .standard)
        var renderer: UnsafeMutablePointer<Renderer>

        init(tempo: Double, plan: ClipPlan) throws {
            configuration = EngineConfiguration(
                trackCount: 1, clipCapacity: 1, tempo: Tempo(clamping: tempo), firstLaunch: .immediate)
            link = EngineLink(configuration, clicks: clicks.content)
            renderer = .allocate(capacity: 1)
            renderer.initialize(to: Renderer(configuration, link: link.renderer))
            prepared = PreparedClip(
                buffer: try Quadrature.buffer(plan), settings: Quadrature.settings(plan), sampleRate: .standard)
            send(.launcher(.install(clip: 0, prepared.content)), at: nil)
        }

        deinit {
            renderer.deinitialize(count: 1)
            renderer.deallocate()
            link.deallocate()
        }

        func send(_ action: EngineAction, at frame: Int64?) {
            let frame = frame.map { FrameTime($0) } ?? Command.nextBlock
            _ = link.commands.push(Command(frame: frame, action: action, id: CommandID(rawValue: 0)))
        }

        func render(_ frames: Int) -> (left: [Float], right: [Float]) {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
            let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
            defer {
                samples.deallocate()
                pointers.deallocate()
            }
            pointers.initialize(to: samples)
            (pointers + 1).initialize(to: samples + frames)
            renderer.pointee.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2, frames: frames))
            return (
                Array(UnsafeBufferPointer(start: samples, count: frames)),
                Array(UnsafeBufferPointer(start: samples + frames, count: frames))
            )
        }

        func takeEvents() -> [EngineEvent] {
            var events: [EngineEvent] = []
            while let event = link.events.pop() { events.append(event) }
            return events
        }
    }

    @Test(
        "A loop that has played since frame 0 is in phase after a day and at 2³¹ and 2⁴⁰ frames",
        arguments: [Int64(24 * 3_600 * 48_000), 1 << 31, 1 << 40])
    func farAlongALoop(frame: Int64) throws {
        let tempo = 20 + 1 / Double.pi
        let beats = 3.0.squareRoot() * 8
        let far = try FarRenderer(tempo: tempo, plan: ClipPlan(frames: 30_000, beats: beats))
        far.send(.launcher(.launch(clip: 0)), at: 0)
        _ = far.render(64)
        far.renderer.pointee.context.timeline.now = FrameTime(frame)
        let heard = far.render(2_000)
        // Whole minutes and the rest apart, so that the reference keeps its digits.
        let minute: Int64 = 60 * 48_000
        let cyclesAMinute = tempo / beats
        for index in stride(from: 0, to: 2_000, by: 7) {
            let at = frame + Int64(index)
            let cycles = Double(at / minute) * cyclesAMinute + Double(at % minute) / Double(minute) * cyclesAMinute
            let position = Quadrature.decode(heard.left[index], heard.right[index], length: 30_000).position
            #expect(Quadrature.distance(position, cycles * 30_000, length: 30_000) < 0.01)
        }
    }

    @Test(
        "A clip at its own tempo ends on the same frame at the start, after nine hours, and at 2³¹ and 2⁴⁰ frames",
        arguments: [0, Int64(9 * 3_600 * 48_000), 1 << 31, 1 << 40])
    func ownTempoFarAlong(origin: Int64) throws {
        // Ends on both sides of where a position between two frames begins to be rounded up.
        for distance in [1e-8, 2e-8, 5e-8, 1e-7, 1e-6, 1e-4].flatMap({ [-$0, $0] }) {
            let length = 12_000.5 - 0x1p-20 + distance
            let plan = ClipPlan(frames: 11_000, sourceRate: 11_000 * 48_000 / length, beats: nil, loops: false)
            let far = try FarRenderer(tempo: 125, plan: plan)
            far.renderer.pointee.context.timeline.now = FrameTime(origin)
            far.send(.launcher(.launch(clip: 0)), at: origin)
            _ = far.render(13_000)
            let stops = far.takeEvents().compactMap { event -> Int64? in
                if case .launcher(.stopped) = event.kind { return event.frame.rawValue - origin }
                return nil
            }
            #expect(stops == [distance < 0 ? 12_000 : 12_001], "\(length) frames")
        }
    }

    @Test("Launches and wraps are on their frames beyond 2³¹ and 2⁴⁰", arguments: [Int64(1) << 31, 1 << 40])
    func launchesFarAlong(origin: Int64) throws {
        let far = try FarRenderer(tempo: 125, plan: ClipPlan(frames: 20_000, beats: 0.7))
        far.renderer.pointee.context.timeline.now = FrameTime(origin - 500)
        far.send(.launcher(.launch(clip: 0)), at: origin)
        far.send(.launcher(.stop(track: 0)), at: origin + 100_000)
        far.send(.launcher(.launch(clip: 0)), at: origin + 200_001)
        _ = far.render(400_000)
        // A beat takes 23 040 frames, the loop 16 128, a bar 92 160.
        let frames = far.takeEvents().compactMap { event -> Int64? in
            switch event.kind {
            case .launcher(.started), .launcher(.stopped), .launcher(.looped): event.frame.rawValue - origin
            default: nil
            }
        }
        let expected = (0...11).map { Int64($0) * 16_128 } + [184_320]
        #expect(Array(frames.prefix(13)) == expected)
        #expect(frames.dropFirst(13).first == 276_480)
    }
}
