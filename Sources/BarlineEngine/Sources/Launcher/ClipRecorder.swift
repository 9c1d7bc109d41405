import BarlineTime

/// The recorder of slots and loops: the takes and layers under way, and the layers that were supplied for those to
/// come. It knows neither tracks nor voices: the launcher says when a take begins and ends.
///
/// - Complexity: looking for a take is O(*n*) in the unfinished ones, looking for a spare layer in the spare ones.
struct ClipRecorder: BitwiseCopyable, @unchecked Sendable {
    /// The unfinished takes.
    private(set) var takes = TakeList()
    /// The spare layers, apart from the takes, which every block visits.
    private var supplied = TakeList()

    @_noLocks init() {}

    /// Whether the invariants hold: each list is finite, and a layer is spare until it is used.
    @_noLocks func checkInvariants() -> Bool {
        takes.checkInvariants(areSupplied: false) && supplied.checkInvariants(areSupplied: true)
    }

    @_noLocks mutating func add(_ take: UnsafeMutablePointer<Take>) { takes.add(take) }

    @_noLocks mutating func remove(_ take: UnsafeMutablePointer<Take>) { takes.remove(take) }

    // MARK: Takes

    /// The take of a clip, not counting its layers, unless it is finished.
    @_noLocks func take(of clip: Int) -> UnsafeMutablePointer<Take>? {
        var next = takes.latest
        while let take = next {
            if take.pointee.clip == clip, !take.pointee.isLayer { return take }
            next = take.pointee.following
        }
        return nil
    }

    /// The take of a clip whose end is open.
    @_noLocks func takeRecorded(into clip: Int) -> UnsafeMutablePointer<Take>? {
        guard let take = take(of: clip), take.pointee.isRecording else { return nil }
        return take
    }

    /// The take that holds `content`, unless it is finished.
    @_noLocks func take(with content: UnsafePointer<ClipContent>) -> UnsafeMutablePointer<Take>? {
        var next = takes.latest
        while let take = next {
            if UnsafePointer(take.pointee.content) == content { return take }
            next = take.pointee.following
        }
        return nil
    }

    /// Whether an unfinished take holds `content`, or is recorded over it.
    @_noLocks func isUsing(_ content: UnsafeRawPointer) -> Bool {
        var next = takes.latest
        while let take = next {
            if UnsafeRawPointer(take.pointee.content) == content || take.pointee.cycle.isOver(content) { return true }
            next = take.pointee.following
        }
        return false
    }

    // MARK: Layers

    /// Receives preallocated memory for a layer.
    @_noLocks mutating func supply(_ layer: UnsafeMutablePointer<Take>) { supplied.add(layer) }

    /// The unused layer to record `frames` frames into: the smallest that fits, and of these the one added first.
    @_noLocks func suppliedLayer(of clip: Int, frames: Int64) -> UnsafeMutablePointer<Take>? {
        var layer: UnsafeMutablePointer<Take>?
        var least = Int64.max
        var next = supplied.latest
        while let take = next {
            let room = Int64(take.pointee.memory.capacity - take.pointee.memory.framesAfter)
            if take.pointee.clip == clip, room >= frames, room <= least {
                layer = take
                least = room
            }
            next = take.pointee.following
        }
        return layer
    }

    /// Moves a spare layer to the takes.
    @_noLocks mutating func use(_ layer: UnsafeMutablePointer<Take>) {
        supplied.remove(layer)
        takes.add(layer)
    }

    /// Retires the unused layers of a clip that is unloaded.
    @_noLocks mutating func retireSupplied(of clip: Int, _ context: inout RenderContext) {
        var next = supplied.latest
        while let take = next {
            next = take.pointee.following
            if take.pointee.clip == clip {
                supplied.remove(take)
                context.retire(UnsafeRawPointer(take.pointee.content))
            }
        }
    }

    /// The layer of a clip that takes over as soon as its pass is complete.
    @_noLocks func pendingLayer(of clip: Int) -> UnsafeMutablePointer<Take>? {
        var next = takes.latest
        while let take = next {
            if take.pointee.isLayer, take.pointee.clip == clip, case .closed = take.pointee.stage,
                take.pointee.cycle.isPending, !take.pointee.cycle.isDropped
            {
                return take
            }
            next = take.pointee.following
        }
        return nil
    }

    // MARK: Time

    /// Copies captured frames into the takes.
    @_noLocks func copy(_ context: borrowing RenderContext) {
        var next = takes.latest
        while let take = next {
            take.pointee.copy(context, until: context.capture.end(of: take.pointee.input))
            next = take.pointee.following
        }
    }

    /// The frame at which a take needs to be serviced next, or the end of time.
    var nextDue: FrameTime {
        @_noLocks get {
            var due = FrameTime.never
            var next = takes.latest
            while let take = next {
                due = earlier(due, take.pointee.due)
                next = take.pointee.following
            }
            return due
        }
    }

    /// Recomputes when pending changes of loops take over, after the tempo has changed; at once if the timeline has
    /// ended.
    @_noLocks func retimeChanges(isOver: Bool, _ timeline: borrowing Timeline) {
        var next = takes.latest
        while let take = next {
            if take.pointee.isLayer, take.pointee.cycle.isChange, take.pointee.isUnderWay {
                let end = timeline.tempo.frame(of: take.pointee.cycle.endBeat)
                take.pointee.cycle.end = isOver || end < timeline.now ? timeline.now : end
            }
            next = take.pointee.following
        }
    }

    /// The device's clock has jumped, and every beat falls `frames` frames later.
    @_noLocks func shift(by frames: Int64, _ capture: borrowing Capture, now: FrameTime) {
        var next = takes.latest
        while let take = next {
            take.pointee.shift(by: frames, capture, now: now)
            next = take.pointee.following
        }
    }

    /// Gives up what has not been captured: the length of a frame changes.
    @_noLocks func abandonAll() {
        var next = takes.latest
        while let take = next {
            if !take.pointee.cut() { take.pointee.abandon() }
            next = take.pointee.following
        }
    }
}
