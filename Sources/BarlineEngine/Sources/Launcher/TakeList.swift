/// Takes, linked one to the next: each knows the one that was added before it. For the audio thread.
struct TakeList: BitwiseCopyable, @unchecked Sendable {
    /// The take that was added last.
    private(set) var latest: UnsafeMutablePointer<Take>?

    @_noLocks init() { latest = nil }

    /// Adds a take that is in no list.
    @_noLocks mutating func add(_ take: UnsafeMutablePointer<Take>) {
        take.pointee.following = latest
        latest = take
    }

    /// Removes a take, where it is in the list.
    ///
    /// - Complexity: O(*n*) in the takes.
    @_noLocks mutating func remove(_ take: UnsafeMutablePointer<Take>) {
        if latest == take {
            latest = take.pointee.following
            return
        }
        var next = latest
        while let other = next {
            if other.pointee.following == take { other.pointee.following = take.pointee.following }
            next = other.pointee.following
        }
    }

    /// Whether the list has an end, and its takes are all layers that wait to be used, or none of them is.
    @_noLocks func checkInvariants(areSpares: Bool) -> Bool {
        var next = latest
        var slower = latest
        var isOdd = false
        while let take = next {
            let isSpare = take.pointee.isLayer && take.pointee.isWaiting
            if isSpare != areSpares || !take.pointee.checkInvariants() { return false }
            next = take.pointee.following
            // A list that leads back into itself is met again by whoever goes half as fast.
            if isOdd, let take = slower { slower = take.pointee.following }
            isOdd.toggle()
            if let _ = next, next == slower { return false }
        }
        return true
    }
}
