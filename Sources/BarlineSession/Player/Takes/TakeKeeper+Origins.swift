import BarlineEngine

extension TakeKeeper {
    /// What journals of takes say of the session.
    struct Circumstances: Sendable {
        /// Its file; `nil` where nobody plays it any more.
        let session: String?
        /// `nil` while the transport stands.
        let grid: TakeOrigin.Grid?
    }

    /// The slot that a take is recorded into.
    struct Slot: Sendable {
        let track: String
        let slot: Int
        /// The identifier of the clip that it becomes.
        let clip: String
    }
}

extension TakeOrigin {
    /// Where a take that has begun is recorded.
    init(_ handle: TakeHandle, in slot: TakeKeeper.Slot?, _ circumstances: TakeKeeper.Circumstances?) {
        if let session = circumstances?.session, let slot {
            place = Place(session: session, track: slot.track, slot: slot.slot, clip: slot.clip)
        }
        grid = circumstances?.grid
        frame = handle.start?.frame.rawValue ?? 0
        margin = handle.margin
    }
}
