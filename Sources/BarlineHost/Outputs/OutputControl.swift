/// The outputs and rooms of the machine that a host runs on, for user interfaces to show and change: where the sound
/// goes, and how loud it is in other rooms.
///
/// Everything may wait for devices and networks: it is asked on threads that may wait.
package protocol OutputControl: Sendable {
    /// The outputs that there are.
    func choices() -> [OutputChoice]
    /// Lets the session play on another output; it goes on where it is.
    ///
    /// - Throws: ``ControlRefusal`` where it can't; then it plays on where it did.
    func choose(backend: String, device: String?) throws(ControlRefusal)
    /// The rooms of the Snapcast server that is played to, or of this machine's.
    func rooms() throws(ControlRefusal) -> RoomList
    /// Changes a room; what is `nil` stays as it is.
    func change(room: String, volume: Int?, isMuted: Bool?, stream: String?) throws(ControlRefusal)
    /// What is connected to MIDI controllers; `nil` where nothing is.
    var midiPorts: (input: String, output: String)? { get }
}

/// An output that can be chosen.
package struct OutputChoice: Hashable, Sendable {
    /// How it sounds: `jack`, `portaudio`, `null`.
    package var backend: String
    /// What it is chosen by, where its backend has several.
    package var device: String?
    /// Its name, for a person.
    package var name: String
    /// The rate at which it runs, in hertz.
    package var sampleRate: Double
    /// Seconds from rendering to sounding.
    package var latency: Double
    /// Whether it is used when none is asked for.
    package var isDefault: Bool
    /// Whether it is used now.
    package var isUsed: Bool

    /// An output.
    package init(
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
package struct RoomList: Hashable, Sendable {
    /// A room.
    package struct Room: Hashable, Sendable {
        /// What it is changed by.
        package var id: String
        /// Its name.
        package var name: String
        /// Whether it is there.
        package var isConnected: Bool
        /// Its volume, 0 … 100.
        package var volume: Int
        /// Whether it is muted.
        package var isMuted: Bool
        /// The group that plays the same.
        package var group: String
        /// What it plays.
        package var stream: String

        /// A room.
        package init(
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
    package var server: String
    /// The rooms.
    package var rooms: [Room]
    /// What can be played, and whether it sounds.
    package var streams: [String: Bool]

    /// A list.
    package init(server: String, rooms: [Room], streams: [String: Bool]) {
        self.server = server
        self.rooms = rooms
        self.streams = streams
    }
}
