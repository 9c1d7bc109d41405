/// A moment at which something takes effect: a ``FrameTime``, a ``Beat``, a ``Bar``, ``Bar/next``, or a ``HostTime``.
///
/// ```swift
/// try engine.launcher.launch(clip, at: Bar(17))
/// try engine.transport.setTempo(140, at: Bar.next)
/// engine.playlist.strip.setMute(true, at: HostTime.now + 0.5)
/// ```
///
/// A command for a future beat or bar keeps waiting for it through every change of tempo, metre and sample rate; while
/// the transport is stopped, it is not reached. A moment that has passed takes effect at once.
public protocol Moment: Sendable {
    /// The condition to wait for.
    var due: MomentDue { get }
}

/// The condition that a ``Moment`` waits for.
public enum MomentDue: Hashable, Sendable, BitwiseCopyable {
    /// A frame.
    case frame(FrameTime)
    /// A beat of the transport.
    case beat(Beat)
    /// The line of a bar, counted from 0 at the grid's origin.
    case bar(Int64)
    /// The line of the next bar, as of when the audio thread receives the command.
    case nextBar
    /// A time of the host's clock, at which the output requests the frame. It is audible later by the output's latency.
    /// Outputs without a clock, such as offline renders, never reach it.
    case host(HostTime)
}

/// The line of a bar, by the bar's number, which displays count from 1.
public struct Bar: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The bar's number: 1 is the first one, 0 and below are a count-in.
    public let number: Int

    /// The line of bar `number`.
    public init(_ number: Int) { self.number = number }

    /// The next bar line.
    public static let next = Next()

    /// The next bar line; see ``Bar/next``.
    public struct Next: Hashable, Sendable {}

    /// The bar, counted from 0 at the grid's origin.
    package var index: Int64 { Int64(max(number, .min + 1)) - 1 }

    /// Whether `left` is earlier.
    public static func < (left: Bar, right: Bar) -> Bool { left.number < right.number }
}

extension FrameTime: Moment {
    /// The frame.
    public var due: MomentDue { .frame(self) }
}

extension Beat: Moment {
    /// The beat.
    public var due: MomentDue { .beat(self) }
}

extension Bar: Moment {
    /// The bar's line.
    public var due: MomentDue { .bar(index) }
}

extension Bar.Next: Moment {
    /// The next bar's line.
    public var due: MomentDue { .nextBar }
}

extension HostTime: Moment {
    /// The time.
    public var due: MomentDue { .host(self) }
}
