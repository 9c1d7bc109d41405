import BarlineTime

/// Pending commands of one kind, ordered by the frame at which they are due and, within one, by arrival. For the audio
/// thread.
///
/// It is a binary heap: insertion and removal cost the logarithm of the number of pending commands, whatever their
/// order. The commands themselves are in a ``CommandStore`` that schedules share.
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

    private let store: CommandStore
    private let heap: UnsafeMutablePointer<Entry>
    private(set) var count = 0
    private var arrivals = 0
    /// The number of comparisons made by all insertions and removals.
    private(set) var steps = 0

    /// Creates a schedule of commands in `store`, which outlives it.
    init(in store: CommandStore) {
        self.store = store
        heap = .allocate(capacity: store.capacity)
        // Touch every page now, so that the audio thread never faults one in.
        heap.initialize(repeating: Entry(due: FrameTime(0), arrival: 0, place: 0), count: store.capacity)
    }

    deinit { heap.deallocate() }

    /// The frame of the next command, or the end of time.
    var nextFrame: FrameTime {
        @_noLocks get { count == 0 ? .never : heap[0].due }
    }

    /// The number of the next command; the largest integer if there is none.
    var nextNumber: Int { @_noLocks get { count == 0 ? .max : store.commands[heap[0].place].id.rawValue } }

    /// Inserts a command, in at most log₂ of the capacity steps; the store must have room for it.
    @_noLocks mutating func insert(_ command: Command) {
        let place = store.put(command)
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
        return store.take(place)
    }

    /// Whether the invariants hold: every entry comes after its parent and its index is valid. O(pending commands).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > store.count { return false }
        for index in 0..<count {
            if heap[index].place < 0 || heap[index].place >= store.capacity { return false }
            if index > 0, heap[index].isBefore(heap[(index - 1) / 2]) { return false }
        }
        return true
    }
}
