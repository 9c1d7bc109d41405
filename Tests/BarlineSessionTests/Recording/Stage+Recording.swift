import BarlineTime

@testable import BarlineSession

extension Stage {
    /// Plays blocks, and hands over what they sound like to a session that records.
    func play(_ frames: Int, block: Int, recordedBy session: LiveSession) {
        var rest = frames
        while rest > 0 {
            let count = min(block, rest)
            player.multitrack?.feed()
            player.playlist.player.feed()
            let from = left.count
            play(count)
            session.takeAudio(left: Array(left[from...]), right: Array(right[from...]), frame: FrameTime(Int64(from)))
            rest -= count
        }
    }
}
