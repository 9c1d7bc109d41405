import BarlineDSP

/// A stem's place, which is that of its channel in the mixer: the stem that is there, and those that come and go.
///
/// It belongs to the audio thread. What comes takes its place when its rings have what is needed, and fades in while the
/// one before it fades out.
struct StemSlot: BitwiseCopyable, @unchecked Sendable {
    /// The stem that is heard, if any.
    var part: UnsafePointer<StemPart>?
    /// Which of the place's voices are those of `part`; the others are those of `former`.
    var side = 0
    /// The fade-in.
    var gate = Ramp(constant: 1)
    /// Whether `next`, or nothing, is to take the place of `part`.
    var isChanging = false
    var next: UnsafePointer<StemPart>?
    /// The stem that was there before and fades out.
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

    /// Whether what waits is to come, and what goes is not what is there.
    @_noLocks func checkInvariants() -> Bool {
        if !isChanging, case .some = next { return false }
        if case .some(let leaving) = former, let part, leaving == part { return false }
        return (side == 0 || side == 1) && gate.target == 1 && exit.target == 0
    }

    /// Whether nothing of it is on its way.
    var isSettled: Bool { @_noLocks get { !isChanging && !hasFormer } }
}
