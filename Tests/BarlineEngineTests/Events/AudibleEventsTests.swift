import BarlineEngine
import BarlineTime
import Testing

@Suite("Events that are heard")
struct AudibleEventsTests {
    @Test("An event is delivered when the output has played its frame, none before and none twice")
    func latency() {
        let stage = PlaylistStage([.noise(1, frames: 1_000), .noise(2, frames: 1_000)], frames: 4_000, blocks: [100])
        stage.player.play()
        var queue = AudibleEvents()
        var taken = 0
        var delivered: [(event: EngineEvent, at: Int)] = []
        for frame in stride(from: 0, through: 4_000, by: 100) {
            stage.render(to: frame)
            queue.add(Array(stage.recorder.events[taken...]))
            taken = stage.recorder.events.count
            for event in queue.take(renderedTo: FrameTime(Int64(frame)), latency: 720) {
                delivered.append((event, frame))
            }
        }
        #expect(delivered.map(\.event) == stage.recorder.events)
        for (event, frame) in delivered {
            let played = Int(event.frame.rawValue) + 720
            #expect(frame >= played && frame < played + 100)
        }
        #expect(queue.takeAll().isEmpty)
    }
}
