/// The outputs and rooms of the machine that a host runs on, for user interfaces to show and change: where the sound
/// goes, and how loud it is in other rooms.
///
/// Everything may wait for devices and networks: it is asked on threads that may wait.
package protocol OutputControl: Sendable {
    /// The outputs that there are.
    func choices() -> [OutputChoice]
    /// Lets the session play on another output; it continues where it is.
    ///
    /// - Throws: ``ControlRefusal`` where it can't; then it plays on where it did.
    func choose(backend: String, device: String?) throws(ControlRefusal)
    /// The rooms of the Snapcast server that is played to, or of this machine's.
    func rooms() throws(ControlRefusal) -> RoomList
    /// Changes a room; what is `nil` stays as it is.
    func change(room: String, volume: Int?, isMuted: Bool?, stream: String?) throws(ControlRefusal)
    /// What is connected to MIDI controllers; `nil` where nothing is.
    var midiPorts: MIDIPorts? { get }
    /// How the clock that is followed stands.
    var clock: ClockStatus { get }
}

/// The names of the ports for MIDI.
package struct MIDIPorts: Hashable, Sendable {
    /// What controllers are connected to.
    package let input: String
    /// What lights them.
    package let output: String
    /// What sends the clock for other machines; `nil` if nothing does.
    package let clock: String?
}

/// An output that can be chosen.
package struct OutputChoice: Hashable, Sendable {
    /// How it sounds: `jack`, `portaudio`, `null`.
    var backend: String
    /// What it is chosen by, where its backend has several.
    var device: String?
    /// Its name, for a person.
    var name: String
    /// The rate at which it runs, in hertz.
    var sampleRate: Double
    /// Seconds from rendering to sounding.
    var latency: Double
    /// Whether it is used when none is asked for.
    var isDefault: Bool
    /// Whether it is used now.
    var isUsed: Bool
}

/// The rooms that a server knows, and what can be played in them.
package struct RoomList: Hashable, Sendable {
    /// A room.
    package struct Room: Hashable, Sendable {
        /// What it is changed by.
        var id: String
        /// Its name.
        var name: String
        /// Whether it is there.
        var isConnected: Bool
        /// Its volume, 0 … 100.
        var volume: Int
        /// Whether it is muted.
        var isMuted: Bool
        /// The group that plays the same.
        var group: String
        /// What it plays.
        var stream: String
    }

    /// The server's name.
    var server: String
    /// The rooms.
    var rooms: [Room]
    /// What can be played, and whether it sounds.
    var streams: [String: Bool]
}
