import BarlineDSP
import BarlineTime
import CRealtime

/// Renders items one after the other into a deck: decoded, at the engine's sample rate, joined or crossfaded.
///
/// Used by one thread at a time. Its state at the end of an item is a value that another serializer can continue from.
final class PlaylistSerializer {
    /// The serializer's state, from which another one can continue.
    struct State {
        /// The next frame of the playlist's stream to be rendered.
        var position: Int64
        var run: PlaylistRun?
        /// The end of the previous item, which the next one may overlap; only with crossfades.
        var outgoing = PlaylistBuffer(left: [], right: [])
        var outgoingLength: Int64 = 0
        var outgoingMark: PlaylistMark?
    }

    /// The outcome of a step.
    enum Outcome {
        /// Frames were read or written.
        case progress
        /// The deck is full.
        case full
        /// The item has ended: another one is needed.
        case needsItem
    }

    private(set) var state: State
    private let deck: PlaylistDeck.Writer
    private let outputRate: SampleRate
    private let crossfade: Int
    private let reader: VarispeedReader
    private let isWanted: @Sendable () -> Bool

    // The item being read.
    private var source: (any PlaylistReader)?
    private var remaining = Int64.max
    private var gain: Float = 1
    private var startMark: PlaylistMark?
    private var incoming = PlaylistBuffer(left: [], right: [])
    private var incomingLength: Int64 = 0
    /// The frames of the item before the place at which it was entered.
    private var passedLength: Int64 = 0
    private var hasJoined = true

    // Rendered frames that are not in the deck yet.
    private var waiting = PlaylistBuffer(left: [], right: [])
    private var waitingFrom = 0
    private var marks: [PlaylistMark] = []
    private var nextMark = 0
    private var hasEnded = false

    /// Continues from `state`, for as long as `isWanted` returns `true`.
    init(
        _ state: State, deck: PlaylistDeck.Writer, outputRate: SampleRate, crossfade: Double,
        quality: VarispeedQuality, isWanted: @escaping @Sendable () -> Bool
    ) {
        self.state = state
        self.isWanted = isWanted
        reader = VarispeedReader(quality: quality)
        self.deck = deck
        self.outputRate = outputRate
        self.crossfade = Int(outputRate.frames(seconds: crossfade))
        if let mark = state.outgoingMark {
            // The item that plays where the deck is entered.
            marks.append(
                PlaylistMark(
                    kind: mark.kind, position: state.position, item: mark.item, playNumber: mark.playNumber,
                    origin: mark.origin))
        }
    }

    /// The position at which the next item begins if it is joined without a gap; known once the previous one has ended.
    var boundary: Int64 { state.run?.boundary ?? state.position + Int64(state.outgoing.left.count) }

    // MARK: Items

    /// Opens an item at its source's frame `frame`.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - frame: the first frame of the source to read.
    ///   - phase: the distance of the first audible frame after `frame`, in source frames.
    ///   - knownOrigin: the position of the source's first frame in the playlist's stream, if that is known already.
    ///   - playNumber: the play number.
    /// - Throws: the source's error.
    func open(
        _ item: PlaylistItem, at frame: Int64, phase: SourcePosition, origin knownOrigin: Double?, playNumber: Int
    ) throws {
        let opened = try item.source.open(while: isWanted)
        if frame > 0 { try opened.seek(to: frame) }
        source = opened
        remaining = item.end.map { max(0, min($0, PlaylistItem.lastFrame) - frame) } ?? .max
        gain = item.gain.amplitudeAsFloat
        let canJoin = crossfade == 0 && state.run?.sourceRate == opened.sampleRate && phase.rawValue == 0
        if !canJoin {
            finishRun()
            state.run = PlaylistRun(
                sourceRate: opened.sampleRate, outputRate: outputRate,
                anchor: state.position + Int64(state.outgoing.left.count), start: phase)
        }
        incoming = PlaylistBuffer(left: [], right: [])
        incomingLength = 0
        hasJoined = state.outgoing.left.isEmpty
        let ratio = opened.sampleRate.hertz / outputRate.hertz
        passedLength = Int64(Double(frame - item.start) / ratio)
        // A run that begins with this item begins with the frame at that distance.
        let first = canJoin ? boundary : state.run?.anchor ?? boundary
        let origin = knownOrigin ?? Double(first) - (Double(frame - item.start) + phase.frames) / ratio
        startMark = PlaylistMark(
            kind: .start(isOverlapping: false), position: first, item: item.id, playNumber: playNumber, origin: origin)
    }

    /// Stops reading the open item.
    func abandon() {
        if source != nil { endItem() }
    }

    /// Marks an item as skipped.
    func skip(_ item: PlaylistItemID, playNumber: Int) {
        startMark = nil
        marks.append(PlaylistMark(kind: .skip, position: boundary, item: item, playNumber: playNumber, origin: 0))
    }

    /// Reads on, or writes what was read.
    ///
    /// - Parameter begun: called with the position at which an item begins, and its origin, when its first frames were
    ///   read.
    /// - Returns: the outcome.
    /// - Throws: the source's error.
    func step(begun: (Int64, Double) -> Void) throws -> Outcome {
        defer { assert(checkInvariants(), "what was rendered is written once, and in order") }
        if !flush() { return .full }
        guard let source else { return .needsItem }
        var buffer = remaining > 0 ? try source.nextBuffer() : nil
        if var frames = buffer, Int64(frames.left.count) > remaining {
            frames.left.removeLast(frames.left.count - Int(remaining))
            frames.right.removeLast(frames.right.count - Int(remaining))
            buffer = frames
        }
        guard let buffer else {
            endItem()
            return .needsItem
        }
        if buffer.left.isEmpty { return .progress }
        remaining -= Int64(buffer.left.count)
        if crossfade == 0 { begin(at: startMark?.position ?? 0, isOverlapping: false, begun) }
        state.run?.append(buffer, gain: gain)
        take(state.run?.read(with: reader, isComplete: false), begun)
        return .progress
    }

    /// Whether the open item has delivered any frames.
    var hasBegun: Bool { startMark == nil }

    private func endItem() {
        source = nil
        if crossfade == 0 { return }
        take(state.run?.read(with: reader, isComplete: true)) { _, _ in }
        if incomingLength == 0 { return }
        if !hasJoined { join(isComplete: true) { _, _ in } }
        state.outgoing = incoming
        state.outgoingLength = passedLength + incomingLength
        state.run = nil
        incoming = PlaylistBuffer(left: [], right: [])
    }

    private func begin(at position: Int64, isOverlapping: Bool, _ begun: (Int64, Double) -> Void) {
        guard let mark = startMark else { return }
        startMark = nil
        let origin = mark.origin + Double(position - mark.position)
        let moved = PlaylistMark(
            kind: .start(isOverlapping: isOverlapping), position: position, item: mark.item,
            playNumber: mark.playNumber,
            origin: origin)
        marks.append(moved)
        state.outgoingMark = moved
        begun(position, origin)
    }

    // MARK: Joining

    private func take(_ frames: PlaylistBuffer?, _ begun: (Int64, Double) -> Void) {
        guard let frames else { return }
        if crossfade == 0 {
            write(frames)
            return
        }
        incoming.left += frames.left
        incoming.right += frames.right
        incomingLength += Int64(frames.left.count)
        if !hasJoined, incoming.left.count >= 2 * crossfade { join(isComplete: false, begun) }
        if hasJoined {
            if startMark != nil, incomingLength > 0 { begin(at: state.position, isOverlapping: false, begun) }
            emitAll(but: crossfade)
        }
    }

    /// Crossfades the end of the previous item into the beginning of this one, with equal power.
    private func join(isComplete: Bool, _ begun: (Int64, Double) -> Void) {
        hasJoined = true
        let outgoing = state.outgoing
        let shortest = min(state.outgoingLength, isComplete ? incomingLength : .max)
        let overlap = min(crossfade, outgoing.left.count, Int(min(shortest / 2, Int64(incoming.left.count))))
        let alone = outgoing.left.count - overlap
        let before = state.outgoingMark
        write(PlaylistBuffer(left: Array(outgoing.left[..<alone]), right: Array(outgoing.right[..<alone])))
        state.outgoing = PlaylistBuffer(left: [], right: [])
        begin(at: state.position, isOverlapping: overlap > 0, begun)
        for frame in 0..<overlap {
            let angle = Double.pi / 2 * (Double(frame) + 0.5) / Double(overlap)
            let (up, down) = (Float(rt_sin(angle)), Float(rt_sin(.pi / 2 - angle)))
            incoming.left[frame] = incoming.left[frame] * up + outgoing.left[alone + frame] * down
            incoming.right[frame] = incoming.right[frame] * up + outgoing.right[alone + frame] * down
        }
        if overlap > 0, let before {
            marks.append(
                PlaylistMark(
                    kind: .end, position: state.position + Int64(overlap), item: before.item,
                    playNumber: before.playNumber,
                    origin: before.origin))
        }
    }

    private func emitAll(but kept: Int) {
        let count = incoming.left.count - kept
        if count <= 0 { return }
        write(PlaylistBuffer(left: Array(incoming.left[..<count]), right: Array(incoming.right[..<count])))
        incoming.left.removeFirst(count)
        incoming.right.removeFirst(count)
    }

    /// Flushes the rest of the run and of the previous item.
    private func finishRun() {
        if crossfade > 0 { return }
        if let rest = state.run?.read(with: reader, isComplete: true) { write(rest) }
        state.run = nil
    }

    /// Ends the playlist's stream with the last item's last frame.
    func end() {
        finishRun()
        write(state.outgoing)
        state.outgoing = PlaylistBuffer(left: [], right: [])
        if let last = state.outgoingMark {
            marks.append(
                PlaylistMark(
                    kind: .end, position: state.position, item: last.item, playNumber: last.playNumber,
                    origin: last.origin))
        }
        hasEnded = true
        _ = flush()
    }

    // MARK: Writing

    private func write(_ frames: PlaylistBuffer) {
        waiting.left += frames.left
        waiting.right += frames.right
        state.position += Int64(frames.left.count)
    }

    /// The number of frames moved at a time.
    private static let pieceFrames = 8_192

    /// Moves rendered frames into the deck.
    ///
    /// - Returns: whether all of them were moved.
    func flush() -> Bool {
        while waitingFrom < waiting.left.count {
            let count = min(PlaylistSerializer.pieceFrames, waiting.left.count - waitingFrom, deck.sound.room)
            if count <= 0 || !pushMarks(before: deck.sound.written + Int64(count)) {
                return false
            }
            waiting.left.withUnsafeBufferPointer { left in
                waiting.right.withUnsafeBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return }
                    deck.sound.append(left + waitingFrom, right + waitingFrom, count: count)
                }
            }
            waitingFrom += count
        }
        waiting = PlaylistBuffer(left: [], right: [])
        waitingFrom = 0
        if hasEnded {
            guard pushMarks(before: .max) else { return false }
            deck.sound.setEnd(state.position)
        }
        return true
    }

    /// Whether the invariants hold: channels are of one length, and nothing was moved that had not been rendered.
    private func checkInvariants() -> Bool {
        waiting.left.count == waiting.right.count && waitingFrom <= waiting.left.count && nextMark <= marks.count
            && incoming.left.count == incoming.right.count && incoming.left.count <= incomingLength
            && state.outgoing.left.count == state.outgoing.right.count
    }

    private func pushMarks(before position: Int64) -> Bool {
        while nextMark < marks.count, marks[nextMark].position < position {
            if !deck.marks.push(marks[nextMark]) { return false }
            nextMark += 1
        }
        if nextMark == marks.count {
            marks.removeAll(keepingCapacity: true)
            nextMark = 0
        }
        return true
    }
}

extension Decibels {
    fileprivate var amplitudeAsFloat: Float { Float(amplitude) }
}
