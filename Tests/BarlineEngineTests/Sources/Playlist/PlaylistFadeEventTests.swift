import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

@Suite("What is said of a playlist's items while one fades into the next")
struct PlaylistFadeEventTests {
    /// What a listener does while the first item fades into the second, and where the first one is then left.
    enum Act: CaseIterable, Sendable {
        case nothing, next, previous, seek, remove, removeOutgoing, crossfade, longerCrossfade, repeatOne, repeatAll
        case shuffle, insert, stop

        func callAsFunction(_ player: PlaylistPlayer) throws {
            switch self {
            case .nothing: break
            case .next: player.next()
            case .previous: player.previous()
            case .seek: player.seek(to: 0.05)
            case .remove: try player.remove(at: 1)
            case .removeOutgoing: try player.remove(at: 0)
            case .crossfade: player.crossfade = 0
            case .longerCrossfade: player.crossfade = 0.3
            case .repeatOne: player.modes.repeat = .one
            case .repeatAll: player.modes.repeat = .all
            case .shuffle: player.setShuffle(true, seed: 3)
            case .insert: try player.insert([.noise(9, frames: 20_000)], at: 2)
            case .stop: player.stop()
            }
        }

        /// Whether the sound of the fade is cut off.
        var cuts: Bool { [.next, .previous, .seek, .remove, .stop].contains(self) }
    }

    @Test("Every item that has started ends once, whatever is done within a fade", arguments: Act.allCases)
    func once(act: Act) throws {
        let items = (1...4).map { PlaylistItem.noise($0, frames: 40_000) }
        let stage = PlaylistStage(items, frames: 230_000)
        stage.player.crossfade = 0.2
        stage.player.play()
        stage.render(to: 34_000)
        try act(stage.player)
        stage.render(to: 230_000)
        var playing: [String] = []
        for event in stage.itemEvents {
            let words = event.split(separator: " ").map(String.init)
            switch words[1] {
            case "start":
                // One that is repeated fades into itself.
                #expect(act == .repeatOne || !playing.contains(words[2]), "\(event) while it plays")
                playing.append(words[2])
            case "end":
                #expect(playing.contains(words[2]), "\(event) without a start")
                if let place = playing.firstIndex(of: words[2]) { playing.remove(at: place) }
            default: #expect(words[1] == "over" && playing.isEmpty)
            }
        }
        // What repeats goes on.
        #expect(playing.isEmpty || act == .repeatOne || act == .repeatAll)
        #expect(playing.count <= 2)
        // The first item began on frame 0, and fades from frame 30,400 to 40,000.
        let end = try #require(stage.itemEvents.first { $0.hasSuffix(" end 1") })
        let frame = try #require(Int(end.split(separator: " ")[0]))
        #expect(act.cuts ? (34_000...34_600).contains(frame) : frame == 40_000, "\(end)")
    }
}
