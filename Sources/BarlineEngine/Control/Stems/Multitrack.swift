import BarlineDSP
import BarlineTime
import Foundation
import Synchronization

/// Stems on an engine: streamed from disk, started on one frame, paused, sought and looped together.
///
/// Feeder threads prefetch about a second of every stem. Nothing starts before every stem's first frames are in memory:
/// a request that needs them waits, and requests are served in order.
public final class Multitrack: StreamPlayer, FedPlayer, @unchecked Sendable {
    /// The tempo at which the stems play at their own rate while they follow the engine's tempo; `nil` if they don't.
    public let recordedTempo: Tempo?
    /// The position of the stems on the engine's grid; `nil` if they are positioned in seconds only.
    public var grid: StemGrid? { control.withLock { $0.grid } }

    let engine: Engine
    let set: StemSet
    let control: ControlLock<State>
    let feeder = StreamFeeder("barline-stems")

    /// The kind of a request to the player.
    enum RequestKind {
        case play
        case pause
        case seek(Double, StemHoldPurpose)
        case loop(Range<Double>?)
    }

    typealias Request = StreamRequest<RequestKind>

    /// A deck being filled from a position on.
    struct Cue {
        let deck: Int
        let seconds: Double
    }

    /// The control side's state.
    struct State {
        var requests: [Request] = []
        /// The deck being filled for the first of `requests`.
        var cue: Cue?
        /// The deck being filled for, or offered to, the loop.
        var loopCue: Cue?
        var isLoopOffered = false
        var loopNumber = 0
        var loop: Range<Double>?
        var grid: StemGrid?
        /// Versions of stems that wait, by place.
        var postponed: [Int: PostponedStem] = [:]
        private(set) var postponedCount = 0

        /// Has a version of a stem wait, in place of one that does.
        mutating func postpone(_ version: Stem, in slot: Int) {
            postponedCount += 1
            postponed[slot] = PostponedStem(stem: version, number: postponedCount)
        }

        /// Whether the deck that is cued is for the first request, and the loop's deck for the loop. O(1).
        func checkInvariants() -> Bool {
            if let cue {
                guard case .seek(let seconds, _) = requests.first?.kind, seconds == cue.seconds else { return false }
            }
            if let loop, loop.upperBound - loop.lowerBound < Multitrack.shortestLoop { return false }
            guard let loopCue else { return !isLoopOffered }
            return loopCue.seconds == loop?.lowerBound && loopCue.deck != cue?.deck
        }
    }

    /// Whether its state agrees with itself; checked after every change where asserts are on.
    func checkInvariants() -> Bool { control.withLock { $0.checkInvariants() } }

    /// Loads stems onto an engine, replacing its former ones; they take the first places.
    ///
    /// - Throws: ``EngineError/unknownStem(_:count:)`` if there are more stems than the engine has room for, or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the stems.
    public convenience init(
        _ stems: [Stem], on engine: Engine, recordedTempo: Tempo? = nil, grid: StemGrid? = nil,
        feeding: Feeding = .threads(2)
    ) throws(EngineError) {
        let places = stems.enumerated().map { (StemIndex($0.offset), $0.element) }
        try self.init(
            at: Dictionary(uniqueKeysWithValues: places), on: engine, recordedTempo: recordedTempo, grid: grid,
            feeding: feeding)
    }

    /// Loads stems onto an engine, replacing its former ones.
    ///
    /// - Parameters:
    ///   - places: the stems by place, which is also that of their strips.
    ///   - engine: the engine.
    ///   - recordedTempo: the tempo at which the stems play at their own rate while they follow the engine's.
    ///   - grid: their position on the grid of beats and bars.
    ///   - feeding: who reads their files.
    /// - Throws: ``EngineError/unknownStem(_:count:)`` if the engine has no such place, or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n* log *n*) in the stems.
    public convenience init(
        at places: [StemIndex: Stem], on engine: Engine, recordedTempo: Tempo? = nil, grid: StemGrid? = nil,
        feeding: Feeding = .threads(2)
    ) throws(EngineError) {
        try self.init(
            at: places, on: engine, recordedTempo: recordedTempo, grid: grid, feeding: feeding, resumingAt: nil)
    }

    /// Loads stems onto an engine that take the place of its former ones while those play, and play on from where they
    /// are: at once, as far as that is in memory by then.
    ///
    /// The other parameters are those of ``init(at:on:recordedTempo:grid:feeding:)``; `position` is where the former ones
    /// are by now, in seconds, and `nil` to begin paused.
    ///
    /// - Throws: ``EngineError/unknownStem(_:count:)`` if the engine has no such place, or
    ///   ``EngineError/busy(capacity:)``.
    package init(
        at places: [StemIndex: Stem], on engine: Engine, recordedTempo: Tempo?, grid: StemGrid?, feeding: Feeding,
        resumingAt position: Double?
    ) throws(EngineError) {
        let capacity = engine.configuration.stemCapacity
        if let unknown = places.keys.sorted().last(where: { !(0..<capacity).contains($0.rawValue) }) {
            throw .unknownStem(unknown, count: capacity)
        }
        try grid?.check()
        self.engine = engine
        self.recordedTempo = recordedTempo
        set = StemSet(
            (0..<capacity).map { places[StemIndex($0)] }, recordedTempo: recordedTempo,
            sampleRate: engine.sampleRate)
        let first = Request(kind: .seek(0, .refill), moment: nil)
        control = ControlLock(State(requests: position == nil ? [first] : [])) { $0.checkInvariants() }
        try engine.withControl { [set] state throws(EngineError) in
            try engine.push([.stems(.install(set.content))], at: nil, &state)
            // They live until the audio thread has retired them.
            state.stemSets[UInt(bitPattern: set.content)] = set
        }
        if let grid { try setGrid(grid) }
        switch feeding {
        case .manual:
            if let position { try resume(at: position, isWhole: true) }
            feed()
        case .threads(let count):
            if let position { try resume(at: position, isWhole: false) }
            startFeeding(threads: count)
        }
    }

    /// Hands the feeding over to threads, for as long as the stems live.
    ///
    /// - Complexity: O(*n*) in the threads.
    public func startFeeding(threads count: Int = 2) {
        feeder.start(count, for: self)
    }

    deinit { close() }

    /// Ends the feeding, and cancels reads in progress. Playing stems underrun; to be called when the engine is not
    /// rendered any more.
    ///
    /// - Complexity: O(*n*) in the stems, and in the threads that feed, each of which ends first.
    public func close() {
        feeder.end()
        set.cancel()
    }

    // MARK: Requests

    /// Plays from the current position.
    public func play(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        ask(Request(kind: .play, moment: moment, sent: sent))
    }

    /// Pauses: the position stays exactly the same.
    public func pause(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        ask(Request(kind: .pause, moment: moment, sent: sent))
    }

    /// Seeks to `seconds`, to the nearest frame of the engine; also while playing.
    ///
    /// - Parameters:
    ///   - seconds: the position.
    ///   - isBarLine: whether the position is that of a bar line, wherever the grid has its own.
    ///   - waitsForBar: whether playing stems on the grid continue until the transport reaches the same position in a
    ///     bar. They always do while clips play; otherwise bars and beats follow the stems.
    ///   - moment: when; `nil` for at once.
    ///   - sent: called with the command.
    /// - Complexity: O(*n*) in the tracks, stems and buses, whose state is read.
    public func seek(
        to seconds: Double, isBarLine: Bool = false, waitsForBar: Bool = false, at moment: (any Moment)? = nil,
        sent: @escaping Sent = { _ in }
    ) {
        let rate = engine.sampleRate.hertz
        let frames = (Multitrack.placeRange.clamp(seconds) * rate).rounded()
        let seek = StemSeek(isBarLine: isBarLine, waits: waitsForBar)
        ask(Request(kind: .seek(frames / rate, .seek(seek)), moment: moment, sent: sent))
    }

    /// Seeks to `seconds`, to the nearest frame of the engine; also while playing.
    ///
    /// - Complexity: O(*n*) in the tracks, stems and buses, whose state is read.
    public func seek(to seconds: Double, at moment: (any Moment)?, sent: @escaping Sent) {
        seek(to: seconds, isBarLine: false, at: moment, sent: sent)
    }

    /// Stops: pauses, and seeks to the beginning.
    public func stop(at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }) {
        pause(at: moment, sent: sent)
        ask(Request(kind: .seek(0, .rewind), moment: moment))
    }

    /// Loops `region`, in seconds; `nil` ends the loop.
    ///
    /// - Throws: ``EngineError/invalidValue(name:value:)`` if the region is shorter than ``shortestLoop`` or begins
    ///   before 0.
    public func setLoop(
        _ region: Range<Double>?, at moment: (any Moment)? = nil, sent: @escaping Sent = { _ in }
    ) throws(EngineError) {
        if let region {
            guard Multitrack.placeRange.contains(region.lowerBound), Multitrack.placeRange.contains(region.upperBound)
            else {
                throw .invalidValue(name: "loop start", value: region.lowerBound)
            }
            let length = region.upperBound - region.lowerBound
            guard length >= Multitrack.shortestLoop else { throw .invalidValue(name: "loop length", value: length) }
        }
        ask(Request(kind: .loop(region), moment: moment, sent: sent))
    }

    /// What is looped, in seconds, as it was asked for last; `nil` where nothing is.
    public var loop: Range<Double>? {
        control.withLock { state in
            for request in state.requests.reversed() { if case .loop(let region) = request.kind { return region } }
            return state.loop
        }
    }

    /// The shortest loop, in seconds: the next pass must be in memory before the current one ends.
    public static let shortestLoop = 0.05

    private func ask(_ request: Request) {
        control.withLock { $0.requests.append(request) }
        wake()
    }

    /// Whether all requests have been forwarded to the engine, and the start of the loop is in memory.
    public var isSettled: Bool {
        control.withLock { state in
            state.requests.isEmpty && (state.loop == nil || state.isLoopOffered) && state.postponed.isEmpty
        }
    }

    var isUnused: Bool { self.set.loaded.isEmpty }

    /// The share of the frames needed for the next start that is in memory, 0 … 1.
    public var readiness: Double {
        control.withLock { state in
            if let cue = state.cue { return set.readiness(deck: cue.deck) }
            return state.requests.isEmpty ? 1 : 0
        }
    }

    // MARK: Feeding

    /// Fills every ring and forwards requests that are ready. With ``StreamFeeding/manual`` only, before every block of
    /// at most ``framesPerFeed`` frames.
    ///
    /// - Complexity: O(*n*) in the frames that are read.
    public func feed() {
        feeder.feed(self)
    }

    /// Does the same as ``feed()`` for the block rendered next, on several cores, and keeps other threads reading
    /// during the rendering. The output is the same. With ``StreamFeeding/manual`` only, in place of ``feed()``.
    package func feedAndReadOn() {
        if !feeder.isByHand { return }
        repeat { set.feedTogether() } while serveRequests()
    }

    /// The longest block that may follow one call of ``feed()``: no ring underruns within it, and the loop wraps at
    /// most once.
    ///
    /// - Complexity: O(1).
    public var framesPerFeed: Int {
        let rate = engine.sampleRate.hertz
        let speed = recordedTempo.map { Tempo.range.upperBound / $0.beatsPerMinute } ?? 1
        let highestRate = set.highestRate
        let fastest = highestRate > 0 ? highestRate / rate * speed : 1
        var frames = min(Double(SourceRing.longestSpan), Double(SourceRing.capacity / 2) / fastest)
        if let loop = control.withLock({ $0.loop }) {
            frames = min(frames, (loop.upperBound - loop.lowerBound) / 2 / speed * rate)
        }
        return max(1, Int(frames))
    }

    func readMostUrgent() -> Bool { set.feedMostUrgent() }

    func serveRequests() -> Bool {
        if exchangePostponed() { return true }
        var report: (Sent, CommandID)?
        let hasMoved = control.withLock { state in
            if let request = state.requests.first {
                if startCue(for: request, &state) { return true }
                if let command = serve(request, &state) {
                    state.requests.removeFirst()
                    report = (request.sent, command)
                    return true
                }
            } else if set.content.pointee.needsDeck.pointee.exchange(false, ordering: .acquiring) {
                state.requests.append(Request(kind: .seek(0, .refill), moment: nil))
                return true
            }
            return prepareLoop(&state)
        }
        if let (sent, command) = report { sent(command) }
        return hasMoved
    }

    /// Starts filling a deck for a request that needs one.
    private func startCue(for request: Request, _ state: inout State) -> Bool {
        guard case .seek(let seconds, _) = request.kind, state.cue == nil, let deck = takeDeck(&state) else {
            return false
        }
        set.cue(deck: deck, to: seconds)
        state.cue = Cue(deck: deck, seconds: seconds)
        return true
    }

    /// The command sent for a request, or `nil` as long as it must wait.
    private func serve(_ request: Request, _ state: inout State) -> CommandID? {
        switch request.kind {
        case .play:
            // Stems that were added while the others are paused start with them.
            if engine.stems.state.phase == .paused, !set.isReady { return nil }
            return try? engine.send([.stems(.play(set: set.number))], at: request.moment)
        case .pause: return try? engine.send([.stems(.pause(set: set.number))], at: request.moment)
        case .seek(_, let purpose):
            guard let cue = state.cue, set.readiness(deck: cue.deck) == 1 else { return nil }
            let hold = EngineAction.stems(.hold(set: set.number, deck: cue.deck, seconds: cue.seconds, purpose))
            set.decks[cue.deck].send()
            guard let command = try? engine.send([hold], at: request.moment) else {
                set.decks[cue.deck].takeBack()
                return nil
            }
            state.cue = nil
            return command
        case .loop(let region):
            let action = EngineAction.stems(
                .loop(
                    set: set.number, number: region == nil ? 0 : state.loopNumber + 1, start: region?.lowerBound ?? 0,
                    end: region?.upperBound ?? 0))
            guard let command = try? engine.send([action], at: request.moment) else { return nil }
            dropLoopCue(&state)
            state.loop = region
            state.loopNumber += 1
            return command
        }
    }

    /// Claims a deck to cue: an idle one, or else the loop's.
    private func takeDeck(_ state: inout State) -> Int? {
        if let deck = set.decks.takeIdle() { return deck }
        dropLoopCue(&state)
        return set.decks.takeIdle()
    }

    private func dropLoopCue(_ state: inout State) {
        guard let cue = state.loopCue else { return }
        if state.isLoopOffered { set.decks[cue.deck].withdraw() } else { set.decks[cue.deck].abandon() }
        state.loopCue = nil
        state.isLoopOffered = false
    }

    /// Keeps a deck cued to the loop's start.
    private func prepareLoop(_ state: inout State) -> Bool {
        guard let loop = state.loop else { return false }
        guard let cue = state.loopCue else {
            guard let deck = set.decks.takeIdle() else { return false }
            set.cue(deck: deck, to: loop.lowerBound)
            state.loopCue = Cue(deck: deck, seconds: loop.lowerBound)
            return true
        }
        let deck = cue.deck
        if state.isLoopOffered {
            if set.decks[deck].isOffered { return false }
            // The audio thread has taken it; the next pass needs another one.
            state.loopCue = nil
            state.isLoopOffered = false
            return true
        }
        guard set.readiness(deck: deck) == 1 else { return false }
        set.decks[deck].offer(for: state.loopNumber)
        state.isLoopOffered = true
        return true
    }
}
