/// A track of the engine's mixer, counted from 0.
public struct TrackIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The track's number.
    public let rawValue: Int

    /// Creates the index of track `rawValue`.
    @_noLocks public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Whether `left` is smaller.
    public static func < (left: TrackIndex, right: TrackIndex) -> Bool { left.rawValue < right.rawValue }
}

/// A stem of the multitrack, counted from 0.
public struct StemIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The stem's number.
    public let rawValue: Int

    /// Creates the index of stem `rawValue`.
    @_noLocks public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Whether `left` is smaller.
    public static func < (left: StemIndex, right: StemIndex) -> Bool { left.rawValue < right.rawValue }
}

/// An input of the engine, counted from 0.
public struct InputIndex: Hashable, Sendable, BitwiseCopyable {
    /// The input's number.
    public let rawValue: Int

    /// Creates the index of input `rawValue`.
    @_noLocks public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A layer that is recorded over a loop.
public struct LayerID: Hashable, Sendable, BitwiseCopyable {
    /// The layer's number, unique within the engine.
    public let rawValue: Int

    /// Creates the identifier of layer `rawValue`.
    @_noLocks public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A clip that the engine has loaded.
public struct ClipHandle: Hashable, Sendable, BitwiseCopyable {
    /// The clip's place in the engine's table, reused after the clip is unloaded.
    public let rawValue: Int

    @_noLocks init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// The identifier of an item of a playlist: the same file twice is two items.
public struct PlaylistItemID: Hashable, Sendable, BitwiseCopyable {
    /// The number.
    public let rawValue: Int

    /// The item of number `rawValue`, 0 or more.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    @_noLocks init(number: Int) { rawValue = number }
}

/// The identifier of a command, carried by the events that it causes.
public struct CommandID: Hashable, Sendable, BitwiseCopyable {
    /// The number of commands sent before this one.
    public let rawValue: Int
}

/// An output pair of the engine, counted from 0; bus 0 is the main one.
public struct BusIndex: Hashable, Sendable, BitwiseCopyable {
    /// The bus's number.
    public let rawValue: Int

    /// The main bus.
    public static let main = BusIndex(0)

    /// Creates the index of bus `rawValue`.
    @_noLocks public init(_ rawValue: Int) { self.rawValue = rawValue }
}

extension TrackIndex: ExpressibleByIntegerLiteral {
    /// The index of track `rawValue`.
    public init(integerLiteral rawValue: Int) { self.init(rawValue) }
}

extension StemIndex: ExpressibleByIntegerLiteral {
    /// The index of stem `rawValue`.
    public init(integerLiteral rawValue: Int) { self.init(rawValue) }
}

extension BusIndex: ExpressibleByIntegerLiteral {
    /// The index of bus `rawValue`.
    public init(integerLiteral rawValue: Int) { self.init(rawValue) }
}
