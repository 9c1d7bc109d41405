/// What a server may ask of the machine that it runs on: where the sound goes, and how loud it is in other rooms.
///
/// Everything may wait for devices and networks; the server asks on threads that may wait.
public protocol OutputControl: Sendable {
    /// The outputs that there are.
    func choices() -> [OutputChoice]
    /// Lets the session play on another output; it goes on where it is.
    ///
    /// - Throws: ``ServerError/refused(_:)`` where it can't; then it plays on where it did.
    func choose(backend: String, device: String?) throws(ServerError)
    /// The rooms of the Snapcast server that is played to, or of this machine's.
    func rooms() throws(ServerError) -> RoomList
    /// Changes a room; what is `nil` stays as it is.
    func change(room: String, volume: Int?, isMuted: Bool?, stream: String?) throws(ServerError)
    /// What is connected to MIDI controllers; `nil` where nothing is.
    var midiPorts: (input: String, output: String)? { get }
}

/// An output that can be chosen.
public struct OutputChoice: Hashable, Sendable {
    /// How it sounds: `jack`, `portaudio`, `null`.
    public var backend: String
    /// What it is chosen by, where its backend has several.
    public var device: String?
    /// Its name, for a person.
    public var name: String
    /// The rate at which it runs, in hertz.
    public var sampleRate: Double
    /// Seconds from rendering to sounding.
    public var latency: Double
    /// Whether it is used when none is asked for.
    public var isDefault: Bool
    /// Whether it is used now.
    public var isUsed: Bool

    /// An output.
    public init(
        backend: String, device: String?, name: String, sampleRate: Double, latency: Double, isDefault: Bool,
        isUsed: Bool
    ) {
        self.backend = backend
        self.device = device
        self.name = name
        self.sampleRate = sampleRate
        self.latency = latency
        self.isDefault = isDefault
        self.isUsed = isUsed
    }
}

/// The rooms that a server knows, and what can be played in them.
public struct RoomList: Hashable, Sendable {
    /// A room.
    public struct Room: Hashable, Sendable {
        /// What it is changed by.
        public var id: String
        /// Its name.
        public var name: String
        /// Whether it is there.
        public var isConnected: Bool
        /// Its volume, 0 … 100.
        public var volume: Int
        /// Whether it is muted.
        public var isMuted: Bool
        /// The group that plays the same.
        public var group: String
        /// What it plays.
        public var stream: String

        /// A room.
        public init(
            id: String, name: String, isConnected: Bool, volume: Int, isMuted: Bool, group: String, stream: String
        ) {
            self.id = id
            self.name = name
            self.isConnected = isConnected
            self.volume = volume
            self.isMuted = isMuted
            self.group = group
            self.stream = stream
        }
    }

    /// The server's name.
    public var server: String
    /// The rooms.
    public var rooms: [Room]
    /// What can be played, and whether it sounds.
    public var streams: [String: Bool]

    /// A list.
    public init(server: String, rooms: [Room], streams: [String: Bool]) {
        self.server = server
        self.rooms = rooms
        self.streams = streams
    }
}
