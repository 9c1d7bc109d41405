import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime

/// An observer of a session that plays: a terminal, a page, a file, the desktop.
///
/// Every observer has a thread of its own, on which it may take its time: what happens meanwhile is kept for it, up to
/// a bound, beyond which the oldest is dropped and counted (``HostReport/missed``). Nobody else waits for it, not even
/// the end of the program.
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
    /// What has happened, and nothing else.
    public var interest: HostInterest { HostInterest() }
    /// Nothing needs the output.
    public func outputWillClose() {}
    /// There is nothing to clean up.
    public func end() {}
}

/// What an observer subscribes to besides events.
public struct HostInterest: Hashable, Sendable {
    /// Seconds after which it wants to see where things are, though nothing has happened; `nil` for never.
    public var positionInterval: Double?
    /// Whether it wants what sounds.
    public var sound: Bool

    /// An interest.
    public init(positionInterval: Double? = nil, sound: Bool = false) {
        self.positionInterval = positionInterval
        self.sound = sound
    }
}

/// What has happened since an observer was called the last time, and what is now.
public struct HostReport: Sendable {
    /// What is now.
    public internal(set) var state: EngineState
    /// What the engine has rendered, in order.
    public internal(set) var events: [EngineEvent] = []
    /// What is heard by now of that, in order: later by the output's latency.
    public internal(set) var heard: [EngineEvent] = []
    /// What has become of the output, in order.
    public internal(set) var outputs: [OutputChange] = []
    /// What a person should know.
    public internal(set) var notices: [HostNotice] = []
    /// The session, where it has changed.
    public internal(set) var document: SessionDocument?
    /// What has sounded, for those who asked for it.
    public internal(set) var sound: [HostSound] = []
    /// How many events and notices were dropped because the observer was too slow: they came before those that are
    /// reported now.
    public internal(set) var missed = 0

    init(_ state: EngineState) { self.state = state }

    /// Whether something has happened.
    var isNews: Bool {
        !events.isEmpty || !heard.isEmpty || !outputs.isEmpty || !notices.isEmpty || document != nil || !sound.isEmpty
    }
}

/// Something that a person should know.
public struct HostNotice: Hashable, Sendable {
    /// Who should.
    public struct Audience: OptionSet, Hashable, Sendable {
        /// The audiences as bits.
        public let rawValue: UInt8

        /// Audiences.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Who has started the program: the terminal.
        public static let user = Audience(rawValue: 1)
        /// Who controls it from elsewhere: pages.
        public static let clients = Audience(rawValue: 2)
        /// Both.
        public static let everybody: Audience = [.user, .clients]
    }

    /// What they should know.
    public let text: String
    /// Who should.
    public let audience: Audience

    /// A notice.
    package init(_ text: String, to audience: Audience = .everybody) {
        self.text = text
        self.audience = audience
    }
}

/// A piece of the main output.
public struct HostSound: Sendable {
    /// The left channel.
    public let left: [Float]
    /// The right one, as long.
    public let right: [Float]
    /// The first one's frame.
    public let frame: FrameTime
    /// The rate of its frames.
    public let sampleRate: SampleRate
}
