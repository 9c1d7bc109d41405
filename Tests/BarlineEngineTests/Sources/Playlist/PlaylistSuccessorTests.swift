import BarlineEngine
import BarlineTime
import Testing

/// Players of one engine's playlist, one after the other.
@Suite("A playlist player after another one")
struct PlaylistSuccessorTests {
    private static let frames = 20_000

    enum Leaving: CaseIterable { case playing, paused, stopped, ended, closed }

    @Test("It plays its own items from the beginning, whatever the one before was doing", arguments: Leaving.allCases)
    func successors(leaving: Leaving) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 0, playlistSeconds: 2))
        let recorder = Recorder(engine, frames: 400_000)
        for number in 1...8 {
            let item = PlaylistItem.noise(number, frames: Self.frames)
            let player = PlaylistPlayer(prepared: engine, ahead: 2, feeding: .manual)
            func render(_ frames: Int) {
                let end = recorder.frames + frames
                while recorder.frames < end {
                    player.feed()
                    let count = min(512, player.framesPerFeed, end - recorder.frames)
                    recorder.render(count, .fixed(count))
                }
            }
            // What played before fades out, and begins nothing that it was not asked for.
            render(1_000)
            try player.insert([item], at: 0)
            render(1_000)
            #expect(player.phase == .stopped, "\(number)")
            let start = recorder.frames
            player.play()
            render(10_000)
            #expect(player.phase == .playing && player.position > 0.2, "\(number)")
            let heard = recorder.left()[start..<start + 10_000]
            #expect(heard.elementsEqual(item.samples[..<10_000]), "\(number)")
            switch leaving {
            case .playing: break
            case .paused: player.pause()
            case .stopped: player.stop()
            case .ended: render(20_000)
            case .closed: player.close()
            }
            if leaving != .closed, number.isMultiple(of: 2) { render(2_000) }
        }
    }
}
