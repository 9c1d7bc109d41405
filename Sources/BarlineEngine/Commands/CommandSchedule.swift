import BarlineTime

/// The commands that wait for their frame, in order of frame and, within one, of arrival. For the audio thread.
struct CommandSchedule: ~Copyable, @unchecked Sendable {
    private let storage: UnsafeMutablePointer<Command>
    private let capacity: Int
    // Kept latest first, so that the next command is taken from the end.
    private var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit { storage.deallocate() }

    var isFull: Bool { @_noLocks get { count == capacity } }

    /// The frame of the next command, or the end of time.
    var nextFrame: FrameTime {
        @_noLocks get { count == 0 ? FrameTime(rawValue: .max) : storage[count - 1].due }
    }

    @_noLocks mutating func insert(_ command: Command) {
        var index = count
        while index > 0, storage[index - 1].due <= command.due {
            storage[index] = storage[index - 1]
            index -= 1
        }
        storage[index] = command
        count += 1
    }

    @_noLocks mutating func removeNext() -> Command {
        count -= 1
        return storage[count]
    }
}
