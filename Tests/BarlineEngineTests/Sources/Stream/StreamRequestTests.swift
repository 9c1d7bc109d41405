import BarlineTime
import Testing

@testable import BarlineEngine

/// What is asked of players reaches the engine, whatever moment it is for and however busy the engine is.
@Suite("Requests to players")
struct StreamRequestTests {
    static let length = 48_000
    /// Moments that no command can be for.
    static let extremes: [any Moment] = [
        FrameTime(-1), FrameTime(rawValue: .max), Beat(1e12), Beat(-1e12), Beat(.nan), Bar(.min), Bar(.max),
        HostTime(rawValue: -5), HostTime(rawValue: .max),
    ]

    private func playlist(_ engine: Engine) throws -> PlaylistPlayer {
        let player = PlaylistPlayer(prepared: engine, ahead: 2, seed: 1, feeding: .manual)
        try player.insert([.noise(1, frames: Self.length)], at: 0)
        return player
    }

    private func stems(_ engine: Engine) throws -> Multitrack {
        let samples = PlaylistItem.noise(2, frames: Self.length).samples
        return try Multitrack([Stem(SampleStem(left: samples, right: samples))], on: engine, feeding: .manual)
    }

    private func render(_ recorder: Recorder, _ player: any StreamPlayer, to frame: Int) {
        while recorder.frames < frame {
            player.feed()
            recorder.render(min(512, frame - recorder.frames), .fixed(512))
        }
    }

    @Test("A moment that is out of range keeps nothing waiting that was asked for later", arguments: extremes.indices)
    func moments(index: Int) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, stemCapacity: 1, playlistSeconds: 2))
        let recorder = Recorder(engine, frames: 9_600)
        defer { withExtendedLifetime(recorder) {} }
        let players: [any StreamPlayer] = [try playlist(engine), try stems(engine)]
        for player in players {
            player.pause(at: Self.extremes[index], sent: { _ in })
            player.seek(to: 0.25, at: Self.extremes[index], sent: { _ in })
            player.play(at: nil, sent: { _ in })
        }
        for player in players { for _ in 0..<20 { player.feed() } }
        render(recorder, players[0], to: 4_800)
        let state = engine.state
        #expect(state.playlist.phase == .playing && state.multitrack.phase == .playing, "\(Self.extremes[index])")
    }

    @Test("A player whose engine takes no more commands asks again, and is heard from its first frame on")
    func busy() throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, stemCapacity: 1, commandCapacity: 16, playlistSeconds: 2))
        let recorder = Recorder(engine, frames: 24_000)
        let playlist = try playlist(engine)
        let stems = try stems(engine)
        for _ in 0..<20 {
            playlist.feed()
            stems.feed()
        }
        recorder.render(64)
        while (try? engine.mixer[.metronome].setGain(-6, at: FrameTime(4_800))) != nil {}
        playlist.play()
        playlist.seek(to: 0.25)
        stems.seek(to: 0.25)
        stems.play()
        for _ in 0..<20 {
            playlist.feed()
            stems.feed()
        }
        #expect(!playlist.isSettled && !stems.isSettled)
        recorder.render(6_336)
        for player in [playlist, stems] as [any StreamPlayer] {
            for _ in 0..<20 { player.feed() }
            #expect(player.isSettled)
        }
        for player in [playlist, stems] as [any StreamPlayer] { player.feed() }
        while recorder.frames < 16_000 {
            playlist.feed()
            stems.feed()
            recorder.render(100, .fixed(100))
        }
        let (first, second) = (PlaylistItem.noise(1, frames: Self.length), PlaylistItem.noise(2, frames: Self.length))
        let heard = withExtendedLifetime(recorder) { Array(recorder.left()[8_000..<16_000]) }
        // Both began with the block that follows.
        let expected = heard.indices.map { first.samples[13_600 + $0] + second.samples[13_600 + $0] }
        #expect(heard == expected)
    }
}
