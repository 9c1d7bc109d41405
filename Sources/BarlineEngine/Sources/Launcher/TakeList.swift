/// A linked list of takes, for the audio thread.
struct TakeList: BitwiseCopyable, @unchecked Sendable {
    /// The take added last; each links to the one before.
    private(set) var latest: UnsafeMutablePointer<Take>?

    @_noLocks init() { latest = nil }

    /// Adds a take, which must be in no list.
    @_noLocks mutating func add(_ take: UnsafeMutablePointer<Take>) {
        take.pointee.following = latest
        latest = take
    }

    /// Removes a take, if it is in the list.
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

    /// Whether the invariants hold: the list is finite, and either all of its takes are spare layers, or none is.
    @_noLocks func checkInvariants(areSupplied: Bool) -> Bool {
        var next = latest
        var slower = latest
        var isOdd = false
        while let take = next {
            let isSupplied = take.pointee.isLayer && take.pointee.isWaiting
            if isSupplied != areSupplied || !take.pointee.checkInvariants() { return false }
            next = take.pointee.following
            // In a circular list the faster of two pointers meets the slower one (R. W. Floyd, 1967).
            if isOdd, let take = slower { slower = take.pointee.following }
            isOdd.toggle()
            if let _ = next, next == slower { return false }
        }
        return true
    }
}
