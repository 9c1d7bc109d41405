import BarlineTime

/// Room for the pending commands of several schedules. For the audio thread.
///
/// A command waits in one of them, and so many as there is room for can wait in all together: a room for each would be
/// empty but for one.
///
/// It is a handle: its copies are the same room. Its creator calls ``deallocate()`` when no schedule uses it.
struct CommandStore: BitwiseCopyable, @unchecked Sendable {
    let commands: UnsafeMutablePointer<Command>
    /// The free places, from index `count` on; what is before that has no meaning.
    private let freePlaces: UnsafeMutablePointer<Int>
    private let used: UnsafeMutablePointer<Int>
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        commands = .allocate(capacity: capacity)
        freePlaces = .allocate(capacity: capacity)
        used = .allocate(capacity: 1)
        // Touch every page now, so that the audio thread never faults one in.
        let nothing = Command(frame: FrameTime(0), action: .launcher(.stopAll), id: CommandID(rawValue: 0))
        commands.initialize(repeating: nothing, count: capacity)
        for place in 0..<capacity { freePlaces[place] = place }
        used.initialize(to: 0)
    }

    func deallocate() {
        commands.deallocate()
        freePlaces.deallocate()
        used.deallocate()
    }

    /// The number of commands that wait.
    var count: Int { @_noLocks get { used.pointee } }

    var isFull: Bool { @_noLocks get { used.pointee == capacity } }

    /// Takes in a command, for which there must be room, and returns its place.
    @_noLocks func put(_ command: Command) -> Int {
        let place = freePlaces[used.pointee]
        commands[place] = command
        used.pointee += 1
        return place
    }

    /// Removes the command in `place`.
    @_noLocks func take(_ place: Int) -> Command {
        used.pointee -= 1
        freePlaces[used.pointee] = place
        return commands[place]
    }
}
