import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime

/// An observer of a session that plays: a terminal, a page, a file, the desktop.
///
/// Every observer is called on a thread of its own and may block. Meanwhile reports are queued for it; beyond a limit
/// the oldest are dropped and counted (``HostReport/missed``). Nothing else waits for it, not even the end of the
/// program.
public protocol HostObserver: AnyObject, Sendable {
    /// What it is interested in. Whether that is sound is asked for many times a second, on any thread, and may change.
    var interest: HostInterest { get }
    /// Takes in what has happened. Called on the observer's own thread, from the first report to the last.
    func receive(_ report: HostReport)
    /// The host ends; the output is still there. Called on the observer's own thread, once.
    func outputWillClose()
    /// Nothing comes any more. Called on the observer's own thread, once.
    func end()
}

extension HostObserver {
    /// Events only.
    public var interest: HostInterest { HostInterest() }
    /// Does nothing.
    public func outputWillClose() {}
    /// Does nothing.
    public func end() {}
}

/// The interests of an observer besides events.
public struct HostInterest: Hashable, Sendable {
    /// The interval in seconds of reports of the state when nothing happens; `nil` for none.
    public var positionInterval: Double?
    /// Whether it receives the audio of the main output.
    public var sound: Bool

    /// Creates an interest.
    public init(positionInterval: Double? = nil, sound: Bool = false) {
        self.positionInterval = positionInterval
        self.sound = sound
    }
}

/// A report of what has happened since an observer's last call, and the current state.
public struct HostReport: Sendable {
    /// The current state.
    public internal(set) var state: EngineState
    /// The events rendered, in order.
    public internal(set) var events: [EngineEvent] = []
    /// The events that have become audible, in order: later by the output's latency.
    public internal(set) var audibleEvents: [EngineEvent] = []
    /// The changes of the output, in order.
    public internal(set) var outputs: [OutputChange] = []
    /// Messages for users.
    public internal(set) var notices: [HostNotice] = []
    /// The session, if it has changed.
    public internal(set) var document: SessionDocument?
    /// The audio of the main output, if subscribed to.
    public internal(set) var sound: [HostSound] = []
    /// The number of events and notices dropped because the observer was too slow. They precede those of this report.
    public internal(set) var missed = 0

    init(_ state: EngineState) { self.state = state }

    /// Whether there is anything besides the state.
    var hasContent: Bool {
        !events.isEmpty || !audibleEvents.isEmpty || !outputs.isEmpty || !notices.isEmpty || document != nil
            || !sound.isEmpty
    }
}

/// A message for users.
public struct HostNotice: Hashable, Sendable {
    /// Its recipients.
    public struct Audience: OptionSet, Hashable, Sendable {
        /// The audiences as bits.
        public let rawValue: UInt8

        /// Creates an audience from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The user who has started the program, at its terminal.
        public static let user = Audience(rawValue: 1)
        /// Users who control it remotely, on the page.
        public static let clients = Audience(rawValue: 2)
        /// Both.
        public static let everybody: Audience = [.user, .clients]
    }

    /// The text.
    public let text: String
    /// Its recipients.
    public let audience: Audience

    /// A notice.
    init(_ text: String, to audience: Audience = .everybody) {
        self.text = text
        self.audience = audience
    }
}

/// A piece of the main output.
public struct HostSound: Sendable {
    /// The left channel.
    public let left: [Float]
    /// The right channel, of the same length.
    public let right: [Float]
    /// The frame of the first sample.
    public let frame: FrameTime
    /// The sample rate.
    public let sampleRate: SampleRate
}
