/// The queue of content that is retired: returned to the control side as soon as nothing reads it.
///
/// Each block looks at some of it, in turn: to find whether something is read asks every voice, and thousands may be taken away at once.
struct Retirement: ~Copyable, @unchecked Sendable {
    private let contents: UnsafeMutablePointer<UnsafeRawPointer>
    private let capacity: Int
    private(set) var count = 0
    /// Which of it is looked at next.
    private var next = 0

    /// The most that a block looks at.
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

    /// Whether what came last is there once, and all has room. O(contents).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > capacity || next < 0 || next > count { return false }
        if count < 2 { return true }
        for index in 0..<count - 1 where contents[index] == contents[count - 1] { return false }
        return true
    }

    /// How much of it a block is to look at.
    var turns: Int { @_noLocks get { count < Retirement.perBlock ? count : Retirement.perBlock } }

    /// What is to be looked at; there must be something.
    var candidate: UnsafeRawPointer {
        @_noLocks get {
            assert(next < count, "there is something to look at")
            return contents[next]
        }
    }

    /// The candidate stays: the one after it is looked at next.
    @_noLocks mutating func keepCandidate() {
        next += 1
        if next >= count { next = 0 }
    }

    /// The candidate is gone: the last one takes its place, and is looked at next.
    @_noLocks mutating func removeCandidate() {
        count -= 1
        contents[next] = contents[count]
        if next >= count { next = 0 }
    }
}
