import BarlineDSP

/// A stem's place, which is also that of its channel in the mixer: the current stem, and those being exchanged.
///
/// It belongs to the audio thread. A new stem takes the place when its rings have the required data, and fades in while
/// the former one fades out.
struct StemSlot: BitwiseCopyable, @unchecked Sendable {
    /// The audible stem, if any.
    var part: UnsafePointer<StemPart>?
    /// Which of the place's voices belong to `part`; the others belong to `former`.
    var side = 0
    /// The fade-in.
    var gate = Ramp(constant: 1)
    /// Whether `next`, or nothing, will replace `part`.
    var isChanging = false
    var next: UnsafePointer<StemPart>?
    /// The former stem, which fades out.
    var former: UnsafePointer<StemPart>?
    /// The fade-out.
    var exit = Ramp(constant: 0)

    init(_ part: UnsafePointer<StemPart>?) { self.part = part }

    var hasFormer: Bool {
        @_noLocks get {
            if case .some = former { return true }
            return false
        }
    }

    /// Whether the invariants hold: a pending stem is one to change to, and the former stem is not the current one.
    @_noLocks func checkInvariants() -> Bool {
        if !isChanging, case .some = next { return false }
        if case .some(let leaving) = former, let part, leaving == part { return false }
        return (side == 0 || side == 1) && gate.target == 1 && exit.target == 0
    }

    /// Whether no exchange is in progress.
    var isSteady: Bool { @_noLocks get { !isChanging && !hasFormer } }
}
