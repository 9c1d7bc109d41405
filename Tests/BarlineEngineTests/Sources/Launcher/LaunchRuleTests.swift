import BarlineEngine
import BarlineTime
import Testing

/// The rules of quantised launch, with frames worked out by hand: at 120 BPM and 48 kHz a beat takes 24 000 frames and
/// a bar of 4/4 takes 96 000.
@Suite("Launch rules")
struct LaunchRuleTests {
    private func starts(
        _ setup: Setup, _ steps: [(Int, Step)], frames: Int = 500_000
    ) throws -> (starts: [Happening], all: [Happening]) {
        let script = Script(setup: setup, steps: steps.map { (frame: $0.0, step: $0.1) }, length: frames)
        let recorder = Recorder(try script.engine(), frames: frames)
        recorder.render(frames)
        #expect(Script.difference(recorder.events, script.model()) == nil)
        let all = recorder.events.compactMap(Happening.init)
        return (
            all.filter {
                if case .started = $0.kind { return true }
                return false
            }, all
        )
    }

    private func setup(_ clips: [ClipPlan] = [ClipPlan(frames: 96_000), ClipPlan(frames: 96_000)]) -> Setup {
        Setup(clips: clips)
    }

    @Test("The first launch rolls the transport one period before the origin")
    func firstLaunchCountsIn() throws {
        let seen = try starts(setup(), [(1_000, .launch(0))])
        #expect(seen.all.first?.kind == .rolled)
        #expect(seen.all.first?.frame == 1_000)
        #expect(seen.all.first?.value == -4)
        #expect(seen.starts.map(\.frame) == [97_000])
        #expect(seen.starts.map(\.value) == [0])
    }

    @Test("An immediate first launch is at beat 0 on its own frame")
    func firstLaunchAtOnce() throws {
        var setup = setup()
        setup.startsAtOnce = true
        let seen = try starts(setup, [(1_000, .launch(0))])
        #expect(seen.all.first?.value == 0)
        #expect(seen.starts.map(\.frame) == [1_000])
    }

    @Test("An unquantised first launch is at beat 0 on its own frame")
    func firstLaunchUnquantised() throws {
        var setup = setup()
        setup.grid = .none
        let seen = try starts(setup, [(1_000, .launch(0)), (5_000, .launch(1))])
        #expect(seen.all.first?.value == 0)
        #expect(seen.starts.map(\.frame) == [1_000, 5_000])
    }

    @Test("What is launched on the roll's frame starts at the origin, whatever its grid")
    func companionsStartAtTheOrigin() throws {
        let clips = [
            ClipPlan(track: 0, frames: 96_000, grid: .bars(1)), ClipPlan(track: 1, frames: 96_000, grid: .note(1, 4)),
        ]
        let seen = try starts(setup(clips), [(1_000, .launch(0)), (1_000, .launch(1)), (1_001, .launch(1))])
        #expect(seen.starts.map(\.frame) == [7_000, 97_000])
    }

    @Test("Just past a boundary a clip starts at once and in phase; further on it waits for the next")
    func snapsBackWithinTheTolerance() throws {
        let steps: [(Int, Step)] = [(0, .startTransport), (96_000 + 1_919, .launch(0)), (192_000 + 1_921, .launch(0))]
        let seen = try starts(setup(), steps)
        #expect(seen.starts.map(\.frame) == [97_919, 288_000])
        #expect(abs((seen.starts.first?.value ?? 0) - 1_919) < 1e-6)
    }

    @Test("Without a tolerance even one frame late waits for the next boundary")
    func noToleranceNoSnap() throws {
        var setup = setup()
        setup.tolerance = 0
        let seen = try starts(setup, [(0, .startTransport), (96_001, .launch(0)), (288_000, .launch(0))])
        #expect(seen.starts.map(\.frame) == [192_000, 288_000])
    }

    @Test("A command on the boundary's frame meets it; one frame before, it waits for it")
    func meetsTheBoundary() throws {
        let seen = try starts(setup(), [(0, .startTransport), (96_000, .launch(0)), (191_999, .launch(1))])
        #expect(seen.starts.map(\.frame) == [96_000, 192_000])
    }

    @Test("The last command for a track before the boundary wins")
    func newerReplacesOlder() throws {
        let steps: [(Int, Step)] = [
            (0, .startTransport), (10_000, .launch(0)), (20_000, .launch(1)), (100_000, .launch(0)),
            (110_000, .stop(0)), (200_000, .stop(0)), (210_000, .launch(0)),
        ]
        let seen = try starts(setup(), steps)
        // The stop at 110 000 cancels the launch and stops clip 1; nothing plays at 200 000.
        #expect(seen.starts.map(\.frame) == [96_000, 288_000])
        #expect(seen.starts.map(\.kind) == [.started(clip: 1), .started(clip: 0)])
        #expect(seen.all.contains { $0.frame == 192_000 && $0.kind == .stopped(clip: 1) })
    }

    @Test("One clip a track: the outgoing one stops on the frame on which the other starts")
    func replacesOnOneFrame() throws {
        let seen = try starts(setup(), [(0, .startTransport), (0, .launch(0)), (100_000, .launch(1))])
        let change = seen.all.filter { $0.frame == 192_000 && $0.lane == 0 }.map(\.kind)
        #expect(change == [.stopped(clip: 0), .started(clip: 1)])
    }

    @Test("Retriggering stops and starts the clip on one frame")
    func retriggers() throws {
        let seen = try starts(setup(), [(0, .startTransport), (0, .launch(0)), (100_000, .launch(0))])
        let change = seen.all.filter { $0.frame == 192_000 && $0.lane == 0 }.map(\.kind)
        #expect(change == [.stopped(clip: 0), .started(clip: 0)])
    }

    @Test("A stop waits for the playing clip's grid; stop now does not")
    func stopsAreQuantised() throws {
        let clips = [ClipPlan(frames: 96_000, grid: .note(1, 2)), ClipPlan(track: 1, frames: 96_000)]
        let seen = try starts(
            setup(clips),
            [
                (0, .startTransport), (0, .scene([0, 1], stopping: [], tempo: nil)), (14_000, .stop(0)),
                (15_000, .stopNow(1)),
            ])
        #expect(seen.all.contains { $0.frame == 24_000 && $0.kind == .stopped(clip: 0) })
        #expect(seen.all.contains { $0.frame == 15_000 && $0.kind == .stopped(clip: 1) })
    }

    @Test("Gate plays while it is held, toggle until it is pressed again, repeat starts anew at every boundary")
    func launchModes() throws {
        let clips = [
            ClipPlan(track: 0, frames: 96_000, mode: .gate), ClipPlan(track: 1, frames: 96_000, mode: .toggle),
            ClipPlan(track: 2, frames: 96_000, mode: .repeat, grid: .note(2, 1)),
        ]
        let steps: [(Int, Step)] = [
            (0, .startTransport), (1, .launch(0)), (1, .launch(1)), (97_000, .release(0)), (97_000, .launch(1)),
            (100_000, .launch(2)), (200_000, .release(2)),
        ]
        let seen = try starts(setup(clips), steps)
        #expect(seen.starts.filter { $0.lane == 2 }.map(\.frame) == [144_000, 192_000])
        let stops = seen.all.filter { $0.kind == .stopped(clip: 0) || $0.kind == .stopped(clip: 1) }
        // Snapped: 97 000 is within two hundredths of a bar of 96 000.
        #expect(stops.map(\.frame) == [97_000, 97_000])
    }

    @Test("Legato takes over the outgoing clip's beat, synced the grid's")
    func startPositions() throws {
        let clips = [
            ClipPlan(track: 0, frames: 96_000, beats: 4, grid: .note(1, 1)),
            ClipPlan(track: 0, frames: 48_000, beats: 8, start: .legato, grid: .note(1, 1)),
            ClipPlan(track: 1, frames: 48_000, beats: 5, start: .synced, grid: .note(1, 1)),
        ]
        let steps: [(Int, Step)] = [
            (0, .startTransport), (23_000, .launch(0)), (150_000, .launch(1)), (150_000, .launch(2)),
        ]
        let seen = try starts(setup(clips), steps)
        #expect(seen.starts.map(\.frame) == [24_000, 168_000, 168_000])
        // Six beats after clip 0's start it is 2 beats into its loop; at beat 7 the synced clip is at its beat 2.
        #expect(abs((seen.starts.first { $0.kind == .started(clip: 1) }?.value ?? 0) - 12_000) < 1e-6)
        #expect(abs((seen.starts.first { $0.kind == .started(clip: 2) }?.value ?? 0) - 19_200) < 1e-6)
    }

    @Test("A scene's tempo takes over on the frame on which its clips start")
    func sceneTempo() throws {
        let clips = [ClipPlan(track: 0, frames: 96_000), ClipPlan(track: 1, frames: 96_000)]
        let steps: [(Int, Step)] = [
            (0, .startTransport), (0, .launch(0)), (10_000, .scene([1], stopping: [0], tempo: 60)),
        ]
        let seen = try starts(setup(clips), steps)
        let change = seen.all.filter { $0.frame == 96_000 }.map(\.kind)
        #expect(change.contains(.tempo(60, ramp: 0)))
        #expect(change.contains(.started(clip: 1)))
        #expect(change.contains(.stopped(clip: 0)))
        #expect(seen.all.contains { $0.frame == 96_000 + 4 * 48_000 && $0.kind == .looped(clip: 1, iteration: 1) })
    }

    @Test("A metre change waits for the next bar line, and a launch queued on a bar follows it")
    func metreChange() throws {
        let steps: [(Int, Step)] = [
            (0, .startTransport), (1, .metre(Metre(numerator: 3, denominator: 4))), (100_000, .launch(0)),
        ]
        let seen = try starts(setup(), steps)
        #expect(seen.all.contains { $0.kind == .metre(Metre(numerator: 3, denominator: 4), line: 4) })
        #expect(seen.starts.map(\.frame) == [168_000])
    }

    @Test("The count-in after a change of metre has a bar of the new metre")
    func countInFollowsTheMetre() throws {
        let steps: [(Int, Step)] = [
            (0, .startTransport), (1, .metre(Metre(numerator: 3, denominator: 4))), (200_000, .stopTransport),
            (300_000, .launch(0)),
        ]
        let seen = try starts(setup(), steps)
        #expect(seen.all.last { $0.kind == .rolled }?.value == -3)
        #expect(seen.starts.map(\.frame) == [372_000])
    }

    @Test("A metre change on the frame of a bar line begins with that bar, also where the frame was rounded")
    func metreChangeOnALine() throws {
        var setup = setup()
        // A bar takes 11 520 000 / 97 = 118 762.88… frames: the line's frame is after the line.
        setup.tempo = 97
        let seen = try starts(setup, [(0, .startTransport), (118_763, .metre(Metre(numerator: 3, denominator: 4)))])
        #expect(seen.all.contains { $0.kind == .metre(Metre(numerator: 3, denominator: 4), line: 4) })
    }

    @Test("A boundary halfway between two frames is on the later one")
    func halvesRoundUp() throws {
        var setup = setup([ClipPlan(frames: 96_000, grid: .note(1, 8))])
        setup.rate = 44_100
        // An eighth of a beat at 120 BPM takes 2756.25 frames.
        let seen = try starts(setup, [(0, .startTransport), (5_000, .launch(0))])
        #expect(seen.starts.map(\.frame) == [5_513])
    }

    @Test("The transport rolls on when every clip has stopped")
    func transportOutlivesClips() throws {
        let seen = try starts(
            setup(), [(0, .startTransport), (0, .launch(0)), (1_000, .stopNow(0)), (400_000, .launch(0))])
        #expect(!seen.all.contains { $0.kind == .halted })
        #expect(seen.starts.map(\.frame) == [0, 480_000])
    }
}
