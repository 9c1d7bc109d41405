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
