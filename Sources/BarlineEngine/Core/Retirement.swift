/// The queue of retired content: returned to the control side as soon as nothing reads it.
///
/// Each block checks a few entries in turn: checking one visits every voice, and thousands may be retired at once.
struct Retirement: ~Copyable, @unchecked Sendable {
    private let contents: UnsafeMutablePointer<UnsafeRawPointer>
    private let capacity: Int
    private(set) var count = 0
    /// The index of the next entry to check.
    private var next = 0

    /// The maximum number of entries checked per block.
    static var perBlock: Int { @_noLocks get { 32 } }

    init(capacity: Int) {
        self.capacity = capacity
        contents = .allocate(capacity: capacity)
    }

    deinit { contents.deallocate() }

    @_noLocks mutating func append(_ content: UnsafeRawPointer) {
        assert(count < capacity, "no more content is taken away than commands can wait and be under way")
        if count == capacity { return }
        contents[count] = content
        count += 1
        assert(checkInvariants(), "what was taken away is not taken away again before it was handed back")
    }

    /// Whether the invariants hold: the last entry is unique, and all fit. O(entries).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > capacity || next < 0 || next > count { return false }
        if count < 2 { return true }
        for index in 0..<count - 1 where contents[index] == contents[count - 1] { return false }
        return true
    }

    /// Entries to check in this block.
    var checksPerBlock: Int { @_noLocks get { count < Retirement.perBlock ? count : Retirement.perBlock } }

    /// The entry to check; the queue must not be empty.
    var candidate: UnsafeRawPointer {
        @_noLocks get {
            assert(next < count, "there is something to look at")
            return contents[next]
        }
    }

    /// Keeps the candidate, and moves on to the next entry.
    @_noLocks mutating func keepCandidate() {
        next += 1
        if next >= count { next = 0 }
    }

    /// Removes the candidate: the last entry takes its place and becomes the next candidate.
    @_noLocks mutating func removeCandidate() {
        count -= 1
        contents[next] = contents[count]
        if next >= count { next = 0 }
    }
}
