import BarlineEngine
import BarlineTime

extension Engine.Transport {
    /// Loops a region of the song, or keeps it for later.
    @discardableResult
    func setLoop(_ region: SongLoop.Region, isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID
    {
        switch region {
        case .beats(let start, let length): try setLoop(from: Beat(start), length: length, isOn: isOn, at: moment)
        case .bars(let first, let count): try setLoop(fromBar: first, bars: count, isOn: isOn, at: moment)
        }
    }

    /// Makes the song's loop that of a session.
    func setLoop(_ loop: SongLoop) throws(EngineError) {
        if let region = loop.region {
            try setLoop(region, isOn: loop.isOn)
        } else {
            try setLoop(from: .zero, length: 0)
        }
    }
}
