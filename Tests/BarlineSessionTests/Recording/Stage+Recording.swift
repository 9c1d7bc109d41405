import BarlineEngine
import BarlineTime

@testable import BarlineSession

extension Stage {
    /// Plays blocks, and hands over what they sound like to a session that records.
    func play(_ frames: Int, block: Int, recordedBy session: LiveSession) {
        var rest = frames
        while rest > 0 {
            player.multitrack?.feed()
            player.playlist.player.feed()
            let streams: [any StreamPlayer] = [player.playlist.player] + (player.multitrack.map { [$0] } ?? [])
            let count = streams.reduce(min(block, rest)) { min($0, $1.framesPerFeed) }
            let from = left.count
            play(count)
            session.takeAudio(left: Array(left[from...]), right: Array(right[from...]), frame: FrameTime(Int64(from)))
            rest -= count
        }
    }
}
