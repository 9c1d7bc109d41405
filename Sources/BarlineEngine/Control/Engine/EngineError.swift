import BarlineTime

/// An error of the engine: why a request was refused.
public enum EngineError: Error, Hashable, Sendable {
    /// Too many commands are pending for the engine's configuration: retry when some have taken effect.
    case busy(capacity: Int)
    /// All of the engine's clip places are in use: unload some.
    case clipTableFull(capacity: Int)
    /// The clip is not, or no longer, loaded.
    case unknownClip(ClipHandle)
    /// The track's number is not below the engine's number of tracks.
    case unknownTrack(TrackIndex, count: Int)
    /// The stem's number is not below the engine's number of stems.
    case unknownStem(StemIndex, count: Int)
    /// The bus's number is not below the engine's number of buses.
    case unknownBus(BusIndex, count: Int)
    /// The engine was created without room for a playlist: its configuration needs some (`playlistSeconds`).
    case noPlaylist
    /// The playlist has no item at the index.
    case unknownItem(index: Int, count: Int)
    /// An item would be in the playlist twice: the same audio twice is two items.
    case duplicateItem(PlaylistItemID)
    /// The channel or bus has the maximum number of effects: remove one.
    case chainFull(capacity: Int)
    /// The input's number is not below the engine's number of inputs.
    case unknownInput(InputIndex, count: Int)
    /// The clip is not a take.
    case noTake(ClipHandle)
    /// More bars are to be kept of an input than are kept of it: the latter in seconds.
    case notKept(bars: Int, seconds: Double)
    /// The clip does not support overdubbing: only a loop that follows the tempo by varispeed, without warp markers,
    /// does.
    case notLayered(ClipHandle)
    /// The clip is streamed, and can't be overdubbed or changed: only what is in memory can.
    case streamed(ClipHandle)
    /// The effect is not, or no longer, in the mixer.
    case unknownEffect(EffectHandle)
    /// The effect has no parameter of that name.
    case unknownParameter(String)
    /// The region is empty or reaches beyond the source's frames.
    case invalidRegion(Range<Int>, frameCount: Int)
    /// The clip's length in beats is outside ``ClipSettings/beatsRange``.
    case invalidBeats(Double)
    /// A number is not finite or out of its range.
    case invalidValue(name: String, value: Double)
    /// An error that only one part of the engine has: ``sampler(_:)``.
    case part(PartFailure)
}

extension EngineError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .busy(let capacity): "\(capacity) commands are waiting; try again when some have taken effect"
        case .clipTableFull(let capacity): "\(capacity) clips are loaded, which is all there is room for"
        case .unknownClip: "the clip is not loaded"
        case .unknownTrack(let track, let count): "there is no track \(track.rawValue): the engine has \(count)"
        case .unknownStem(let stem, let count): "there is no stem \(stem.rawValue): the engine has room for \(count)"
        case .unknownBus(let bus, let count): "there is no bus \(bus.rawValue): the engine has \(count)"
        case .noPlaylist: "the engine was made without room for a playlist: playlistSeconds is 0"
        case .unknownItem(let index, let count): "there is no item \(index): the playlist has \(count)"
        case .duplicateItem(let item): "item \(item.rawValue) can be in the playlist only once"
        case .chainFull(let capacity): "there are \(capacity) effects, which is all there is room for"
        case .unknownInput(let input, let count):
            "there is no input \(input.rawValue): the engine has room for \(count)"
        case .noTake: "the clip is not one that is recorded"
        case .notKept(let bars, let seconds):
            "\(bars) bars are longer than what is kept of an input, the last \(Int(seconds)) seconds"
        case .notLayered:
            "only loops that follow the tempo are recorded over, with their pitch not kept and without warp markers"
        case .streamed: "the clip is too long to be recorded over or changed: it is read from its file while it plays"
        case .unknownEffect: "the effect is not in the mixer"
        case .unknownParameter(let name): "the effect has no parameter \"\(name)\""
        case .invalidRegion(let region, let frames):
            "the region \(region.lowerBound) ..< \(region.upperBound) is not within the source's \(frames) frames"
        case .invalidBeats(let beats): "\(beats) is no length in beats: it must be from 0.000001 to 1000000"
        case .invalidValue(let name, let value): "\(name) can't be \(value)"
        case .part(let failure): failure.description
        }
    }
}
