import BarlineTime

/// The pending commands with a known frame, ordered by frame and, within one, by arrival. For the audio thread.
///
/// It is a binary heap: insertion and removal cost the logarithm of the number of pending commands, whatever their
/// order.
struct CommandSchedule: ~Copyable, @unchecked Sendable {
    /// An entry of the heap: its key, and the index of the command.
    private struct Entry: BitwiseCopyable {
        let due: FrameTime
        let arrival: Int
        let place: Int

        @_noLocks func isBefore(_ other: Entry) -> Bool {
            due == other.due ? arrival < other.arrival : due < other.due
        }
    }

    private let commands: UnsafeMutablePointer<Command>
    private let heap: UnsafeMutablePointer<Entry>
    private let freePlaces: UnsafeMutablePointer<Int>
    private let capacity: Int
    private(set) var count = 0
    private var arrivals = 0
    /// The number of comparisons made by all insertions and removals.
    private(set) var steps = 0

    init(capacity: Int) {
        self.capacity = capacity
        commands = .allocate(capacity: capacity)
        heap = .allocate(capacity: capacity)
        freePlaces = .allocate(capacity: capacity)
        // Touch every page now, so that the audio thread never faults one in.
        let nothing = Command(frame: FrameTime(0), action: .launcher(.stopAll), id: CommandID(rawValue: 0))
        commands.initialize(repeating: nothing, count: capacity)
        heap.initialize(repeating: Entry(due: FrameTime(0), arrival: 0, place: 0), count: capacity)
        for place in 0..<capacity { freePlaces[place] = place }
    }

    deinit {
        commands.deallocate()
        heap.deallocate()
        freePlaces.deallocate()
    }

    var isFull: Bool { @_noLocks get { count == capacity } }

    /// The frame of the next command, or the end of time.
    var nextFrame: FrameTime {
        @_noLocks get { count == 0 ? .never : heap[0].due }
    }

    /// The number of the next command; the largest integer if there is none.
    var nextNumber: Int { @_noLocks get { count == 0 ? .max : commands[heap[0].place].id.rawValue } }

    /// Inserts a command, in at most log₂ of the capacity steps.
    @_noLocks mutating func insert(_ command: Command) {
        let place = freePlaces[count]
        commands[place] = command
        let entry = Entry(due: command.due, arrival: arrivals, place: place)
        arrivals += 1
        var index = count
        count += 1
        while index > 0 {
            steps += 1
            if !entry.isBefore(heap[(index - 1) / 2]) { break }
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = entry
    }

    /// Removes the next command, in at most 2 log₂ of the capacity steps; there must be one.
    @_noLocks mutating func removeNext() -> Command {
        let place = heap[0].place
        count -= 1
        freePlaces[count] = place
        let last = heap[count]
        var index = 0
        while true {
            var child = 2 * index + 1
            if child >= count { break }
            steps += 2
            if child + 1 < count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            if !heap[child].isBefore(last) { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return commands[place]
    }

    /// Whether the invariants hold: every entry comes after its parent and its index is valid. O(pending commands).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > capacity { return false }
        for index in 0..<count {
            if heap[index].place < 0 || heap[index].place >= capacity { return false }
            if index > 0, heap[index].isBefore(heap[(index - 1) / 2]) { return false }
        }
        return true
    }
}
