import BarlineTime
import Testing

@testable import BarlineEngine

/// What was asked for and what has come of it, in order. What is queued, held and playing is found by going back in it.
private struct History {
    enum Fact {
        case queued(clip: Int?, beat: Double)
        case performed
        case held(clip: Int?)
        case released(clip: Int)
        case cancelled
        case left(clip: Int)
        case removed(clip: Int)
        case plays(clip: Int?)
    }

    private var facts: [Fact] = []

    mutating func note(_ new: Fact...) { facts += new }

    var playing: Int? {
        for case .plays(let clip) in facts.reversed() { return clip }
        return nil
    }

    /// The clip that is queued, `nil` for a stop, and its boundary.
    var queued: (clip: Int?, beat: Double)? {
        var gone: Set<Int> = []
        var isStopMoot = false
        for fact in facts.reversed() {
            switch fact {
            case .queued(let clip, let beat):
                if let clip { return gone.contains(clip) ? nil : (clip, beat) }
                return isStopMoot ? nil : (nil, beat)
            case .performed, .cancelled: return nil
            case .left(let clip): gone.insert(clip)
            case .removed: isStopMoot = true
            case .held, .released, .plays: break
            }
        }
        return nil
    }

    var held: Int? {
        var released: Set<Int> = []
        for fact in facts.reversed() {
            switch fact {
            case .held(let clip): return clip.flatMap { released.contains($0) ? nil : $0 }
            case .cancelled: return nil
            case .released(let clip), .left(let clip): released.insert(clip)
            case .queued, .performed, .removed, .plays: break
            }
        }
        return nil
    }
}

/// A track without a sound, on a grid of four beats: what its state decides is compared with what follows from its
/// history.
private final class SilentTrack {
    static let modes: [LaunchMode] = [.trigger, .gate, .toggle, .repeat, .repeat, .trigger]
    /// Clips that start at once.
    static let gridless: Set<Int> = [4, 5]
    static let rate = 48_000.0

    var state = LaunchState()
    var history = History()
    var tempo = TempoMap(tempo: 120, sampleRate: .standard)
    let metre = MetreMap(.common)
    var now = 0
    var random: TestRandom
    /// The latest change of tempo.
    private var anchor = (frame: 0.0, beat: 0.0, bpm: 120.0)
    private(set) var startCount = 0
    private(set) var stopCount = 0

    init(seed: UInt64) {
        random = TestRandom(seed: seed)
        tempo.reset(startFrame: FrameTime(0), startBeat: Beat(rawValue: 0), tempo: 120)
    }

    private var beat: Double { anchor.beat + (Double(now) - anchor.frame) * anchor.bpm / 60 / Self.rate }

    private func frame(of beat: Double) -> Double { anchor.frame + (beat - anchor.beat) * 60 / anchor.bpm * Self.rate }

    private var bound: FrameTime { FrameTime(rawValue: Int64(now)) }

    /// Where a request made now takes effect: on the next line, or at once shortly after one. What repeats is queued
    /// for the line after the one that it was started on.
    private func point(_ clip: Int?, isPunctual: Bool = false) -> LaunchPoint {
        if let clip, Self.gridless.contains(clip) {
            let here = Beat(rawValue: beat)
            return LaunchPoint(boundary: .beat(here), beat: here, isPast: false)
        }
        let line = ((isPunctual ? beat + 0.001 : beat) / 4).rounded(.down) * 4
        let isLate = !isPunctual && beat - line < 0.25
        let boundary = Beat(rawValue: isLate ? line : line + 4)
        return LaunchPoint(boundary: .beat(boundary), beat: boundary, isPast: isLate)
    }

    /// Performs what the state wants, which must be what is queued in the history.
    private func perform(_ step: LaunchState.Step) {
        switch step {
        case .nothing: return
        case .stop(let boundary):
            #expect(history.queued.map { $0.clip == nil && $0.beat == boundary.rawValue } ?? false)
            history.note(.performed, .plays(clip: nil))
            state.end()
            stopCount += 1
        case .start(let clip, let boundary):
            #expect(history.queued.map { $0.clip == clip && $0.beat == boundary.rawValue } ?? false)
            history.note(.performed)
            startCount += 1
            // Sometimes no voice is free, and what plays plays on.
            if random.int(0...9) > 0 {
                state.begin(clip)
                history.note(.plays(clip: clip))
            }
            #expect(state.repeating == history.held ?? -1)
            if let held = history.held, !Self.gridless.contains(held) {
                let next = point(held, isPunctual: true)
                state.queueStart(of: held, at: next, frame: tempo.frame(of: next.beat))
                history.note(.queued(clip: held, beat: next.beat.rawValue))
            }
        }
    }

    private func answer(_ intent: LaunchState.Intent, _ clip: Int) {
        switch intent {
        case .nothing: break
        case .launch:
            let point = point(clip)
            let isHeld = Self.modes[clip] == .repeat
            history.note(.held(clip: isHeld ? clip : nil), .queued(clip: clip, beat: point.beat.rawValue))
            let due = tempo.frame(of: point.beat)
            let step = state.launch(clip, isHeld: isHeld, at: point, frame: due, now: bound)
            #expect((step != .nothing) == (point.isPast || due <= bound))
            perform(step)
        case .stop: stop()
        }
    }

    private func stop() {
        let point = point(nil)
        history.note(.cancelled, .queued(clip: nil, beat: point.beat.rawValue))
        let due = tempo.frame(of: point.beat)
        let step = state.stop(at: point, frame: due, now: bound)
        #expect((step != .nothing) == (point.isPast || due <= bound))
        perform(step)
    }

    private func press(_ clip: Int) {
        let queued = history.queued
        let stops =
            Self.modes[clip] == .toggle
            && (queued.map { $0.clip == clip } ?? (history.playing == clip))
        let intent = state.press(clip, Self.modes[clip])
        #expect(intent == (stops ? .stop : .launch))
        answer(intent, clip)
    }

    private func release(_ clip: Int) {
        let isOurs = history.playing == clip || history.queued.map { $0.clip == clip } ?? false
        let intent = state.release(clip, Self.modes[clip])
        #expect(intent == (Self.modes[clip] == .gate && isOurs ? .stop : .nothing))
        if Self.modes[clip] == .repeat, history.held == clip {
            // A clip that plays is not started again; one that doesn't still starts.
            if history.playing == clip, history.queued.map({ $0.clip == clip }) ?? false {
                history.note(.left(clip: clip))
            } else {
                history.note(.released(clip: clip))
            }
        }
        answer(intent, clip)
    }

    private func changeTempo() {
        let bpm = [60.0, 90, 120, 121.5, 174][random.int(0...4)]
        anchor = (Double(now), beat, bpm)
        tempo.change(at: bound, to: Tempo(clamping: bpm), overBeats: 0)
        state.resolve(tempo: tempo, metre: metre, earliest: bound)
    }

    /// Something happens, at random.
    func happen() {
        let clip = random.int(0...Self.modes.count - 1)
        switch random.int(0...15) {
        case 0..<6: press(clip)
        case 6..<9: release(clip)
        case 9: stop()
        case 10:
            history.note(.cancelled)
            #expect(state.stop(now: Beat(rawValue: beat)) == .stop(boundary: Beat(rawValue: beat)))
            state.end()
            history.note(.plays(clip: nil))
        case 11:
            // A one-shot is over.
            state.end()
            history.note(.plays(clip: nil))
        case 12:
            let plays = history.playing == clip
            history.note(.left(clip: clip))
            #expect(state.remove(clip) == plays)
            if plays {
                state.end()
                history.note(.removed(clip: clip), .plays(clip: nil))
            }
        case 13:
            state.cancel(clip)
            history.note(.left(clip: clip))
        case 14:
            state.cancel()
            history.note(.cancelled)
        default: changeTempo()
        }
    }

    /// Time passes up to a frame; what is due on the way happens on its frame.
    func pass(until frame: Int) {
        while state.queue.frame.rawValue <= Int64(frame) {
            now = max(now, Int(state.queue.frame.rawValue))
            #expect(state.advance(to: FrameTime(rawValue: Int64(now - 1))) == .nothing)
            let step = state.advance(to: bound)
            #expect(step != .nothing)
            perform(step)
        }
        #expect(state.advance(to: FrameTime(rawValue: Int64(frame))) == .nothing)
        now = frame
    }

    /// What the state says is what follows from the history.
    func check() {
        #expect(state.checkInvariants() && state.playing == history.playing ?? -1 && state.held == history.held ?? -1)
        switch state.queue.request {
        case .nothing: #expect(history.queued == nil && state.queue.frame.rawValue == .max)
        case .stop: #expect(history.queued.map { $0.clip == nil } ?? false)
        case .launch(let clip): #expect(history.queued?.clip == clip)
        }
        if let queued = history.queued {
            let due = max(frame(of: queued.beat), Double(now))
            #expect(abs(Double(state.queue.frame.rawValue) - due) <= 1)
        }
    }
}

@Suite("What a track decides, without a sound")
struct LaunchStateTests {
    private func point(_ beat: Double, isPast: Bool = false) -> LaunchPoint {
        LaunchPoint(boundary: .beat(Beat(rawValue: beat)), beat: Beat(rawValue: beat), isPast: isPast)
    }

    @Test("What is queued, held and playing follows from all that was asked for", arguments: 1...40)
    func storm(seed: Int) {
        let track = SilentTrack(seed: UInt64(seed))
        for _ in 0..<500 {
            track.pass(until: track.now + track.random.int(0...60_000))
            track.check()
            track.happen()
            track.check()
        }
        #expect(track.startCount > 50 && track.stopCount > 0)
    }

    @Test("A launch waits for its boundary, once; a newer request takes its place")
    func queueing() {
        var state = LaunchState()
        #expect(state.launch(1, isHeld: false, at: point(4), frame: FrameTime(96), now: FrameTime(0)) == .nothing)
        #expect(state.launch(2, isHeld: false, at: point(4), frame: FrameTime(96), now: FrameTime(10)) == .nothing)
        #expect(state.advance(to: FrameTime(95)) == .nothing && state.queue.isLaunch(of: 2))
        #expect(state.advance(to: FrameTime(96)) == .start(clip: 2, boundary: Beat(rawValue: 4)))
        #expect(state.advance(to: FrameTime(96)) == .nothing && state.queue.isEmpty)
    }

    @Test("What comes just after its boundary starts at once, based on it")
    func late() {
        var state = LaunchState()
        let passed = point(8, isPast: true)
        let start = state.launch(3, isHeld: false, at: passed, frame: FrameTime(192), now: FrameTime(193))
        #expect(start == .start(clip: 3, boundary: Beat(rawValue: 8)) && state.queue.isEmpty)
        state.begin(3)
        let stop = state.stop(at: point(12, isPast: true), frame: FrameTime(288), now: FrameTime(290))
        #expect(stop == .stop(boundary: Beat(rawValue: 12)) && state.playing == 3)
    }

    @Test("A start that found no voice leaves what plays, and a stop that is moot is dropped with its clip")
    func outcome() {
        var state = LaunchState()
        state.begin(1)
        #expect(state.launch(2, isHeld: false, at: point(4), frame: FrameTime(96), now: FrameTime(96)) != .nothing)
        #expect(state.playing == 1)
        #expect(state.stop(at: point(8), frame: FrameTime(192), now: FrameTime(100)) == .nothing)
        #expect(!state.remove(2) && !state.queue.isEmpty)
        #expect(state.remove(1) && state.queue.isEmpty)
    }

    @Test("A repeated clip starts again while it is held, and not after it is released")
    func repeating() {
        var state = LaunchState()
        _ = state.launch(1, isHeld: true, at: point(0, isPast: true), frame: FrameTime(0), now: FrameTime(0))
        state.begin(1)
        #expect(state.repeating == 1)
        state.queueStart(of: 1, at: point(4), frame: FrameTime(96))
        #expect(state.repeating == -1)
        #expect(state.advance(to: FrameTime(96)) == .start(clip: 1, boundary: Beat(rawValue: 4)))
        #expect(state.repeating == 1)
        state.queueStart(of: 1, at: point(8), frame: FrameTime(192))
        #expect(state.release(1, .repeat) == .nothing && state.queue.isEmpty && state.held == -1)
    }
}
