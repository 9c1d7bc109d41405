import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The timeline as it follows from its events alone, beside the one that the engine shows.
@Suite("Following the timeline by its events")
struct TimelineEventTests {
    private static let configuration = EngineConfiguration(eventDelivery: .manual)

    /// Asks for something of the transport, now or some blocks ahead.
    private func ask(_ engine: Engine, _ random: inout TestRandom) throws {
        let frame: FrameTime? = random.chance(0.5) ? nil : engine.now + Int64(random.int(0...20_000))
        switch random.int(0...5) {
        case 0: try engine.transport.start(at: frame)
        case 1: try engine.transport.stop(at: frame)
        case 2, 3:
            let length: RampLength = random.chance(0.4) ? .beats(Double(random.int(1...8))) : .shortest
            try engine.transport.setTempo(Tempo(clamping: Double(random.int(40...300))), over: length, at: frame)
        case 4: try engine.transport.setTimeSignature(random.pick(["4/4", "7/8", "3/4"]), at: frame)
        default: engine.setSampleRate(SampleRate(unchecked: random.chance(0.5) ? 44_100 : 48_000))
        }
    }

    @Test("The engine's map knows every bar, beat and frame that can be named")
    func farTimes() throws {
        let engine = Engine(Self.configuration)
        let buffer = RenderBuffer(busCount: 1, frameCapacity: 4_096)
        try engine.transport.start()
        try engine.transport.setTimeSignature("7/8", at: Bar(2))
        for _ in 0..<60 { engine.render(into: buffer, frames: 4_096) }
        let map = engine.transport.map
        #expect(map.isRolling)
        let lines = [Int.min, 1 - .max, -1, 1, 2, 3, .max - 1, .max].map { map.frame(of: Bar($0)) }
        #expect(lines == lines.sorted())
        // Valid from the latest change on: bar 2, a bar of 4/4 after the start.
        #expect(map.frame(of: Bar(2)) == FrameTime(96_000))
        #expect(map.frame(of: Bar(3)) == FrameTime(96_000 + 84_000))
        let bars = [Int64.min, -1, 0, 96_000, 1 << 53, .max].map { map.bar(at: FrameTime($0)).number }
        #expect(bars == bars.sorted())
        #expect(map.bar(at: FrameTime(96_000)).number == 2)
        for beat in [-Double.infinity, -1e300, 1e300, .infinity, .nan] {
            #expect(abs(map.frame(of: Beat(beat)).rawValue) > 1 << 61)
        }
    }

    @Test("Frames and bars that no session has are refused, of whatever changes")
    func farMoments() throws {
        let engine = Engine(Self.configuration)
        let moments: [any Moment] = [
            FrameTime(.max), FrameTime(.min), Bar(.max), Bar(.min), Beat(.nan), Beat(.infinity), Beat(1e300),
        ]
        for moment in moments {
            #expect(throws: EngineError.self, "\(moment)") { try engine.transport.setTempo(140, at: moment) }
            #expect(throws: EngineError.self, "\(moment)") { try engine.mixer[.main].setGain(-6, at: moment) }
            #expect(throws: EngineError.self, "\(moment)") { try engine.transport.setTimeSignature("5/4", at: moment) }
        }
    }

    @Test("Beats and bars to come are on the same frames", arguments: 0..<30 as Range<UInt64>)
    func storm(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let engine = Engine(Self.configuration)
        let events = engine.events.queue()
        let buffer = RenderBuffer(busCount: 1, frameCapacity: 4_096)
        var map = engine.transport.map
        for round in 0..<300 {
            if random.chance(0.3) { try ask(engine, &random) }
            engine.render(into: buffer, frames: random.int(1...4_096))
            for event in events.take() {
                if case .transport(let change) = event.kind { map = map.after(change, at: event.frame) }
            }
            let shown = engine.transport.map
            #expect(map.isRolling == shown.isRolling)
            guard shown.isRolling else { continue }
            let (beat, bar) = (shown.beat(at: shown.now), shown.bar(at: shown.now).number)
            for ahead in 1...12 {
                let beats = (map.frame(of: beat + Double(ahead)), shown.frame(of: beat + Double(ahead)))
                let bars = (map.frame(of: Bar(bar + ahead)), shown.frame(of: Bar(bar + ahead)))
                #expect(abs(beats.0 - beats.1) <= 1, "round \(round), \(ahead) beats ahead")
                #expect(abs(bars.0 - bars.1) <= 1, "round \(round), \(ahead) bars ahead")
            }
        }
    }
}
