/// Content that goes back to the control side as soon as nothing reads it.
struct Retirement: ~Copyable, @unchecked Sendable {
    private let contents: UnsafeMutablePointer<UnsafeRawPointer>
    private let capacity: Int
    private(set) var count = 0

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
        if count < 0 || count > capacity { return false }
        if count < 2 { return true }
        for index in 0..<count - 1 where contents[index] == contents[count - 1] { return false }
        return true
    }

    subscript(index: Int) -> UnsafeRawPointer {
        @_noLocks get { contents[index] }
        @_noLocks nonmutating set { contents[index] = newValue }
    }

    /// Forgets all but the first `kept`.
    @_noLocks mutating func keep(first kept: Int) {
        assert(kept >= 0 && kept <= count, "what is kept was there")
        count = kept
    }
}
