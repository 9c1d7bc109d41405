import Synchronization

/// A flag for the control side: whether this is the layer that its clip plays.
struct AudibleFlag: ~Copyable {
    let isAudible = Atomic<Bool>(false)
}

/// The neighbours of a layer in its loop's undo history.
struct LayerLinks: BitwiseCopyable, @unchecked Sendable {
    /// The maximum number of layers of a loop that can be undone.
    static var depth: Int { @_noLocks get { 64 } }

    /// The layer below, which it was recorded over; `nil` if that is not known any more.
    var below: UnsafePointer<ClipContent>?
    /// The layer above, which was recorded over it last and undone since.
    var above: UnsafePointer<ClipContent>?
    /// The control side's flag for whether it is the layer that plays.
    var audibleFlag: UnsafePointer<AudibleFlag>?

    @_noLocks init() {}
}
