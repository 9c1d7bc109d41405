import BarlineDSP
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineEngine

/// When an engine has nothing to do, and how those who rest meanwhile are woken.
@Suite("Rest")
struct RestTests {
    private func engine() -> Engine {
        Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
    }

    private func clip(_ engine: Engine, loops: Bool) throws -> ClipHandle {
        let samples = (0..<4_800).map { Float(sin(Double($0) * 0.05)) }
        return try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: nil, loops: loops, playback: .original))
    }

    @Test("An engine is at rest before anything was asked for, and when what played has died away")
    func silence() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 48_000 * 20)
        recorder.render(512)
        #expect(engine.isAtRest)
        let clip = try clip(engine, loops: false)
        recorder.render(512)
        #expect(engine.isAtRest, "what is loaded does not play")
        try engine.launcher.launch(clip)
        #expect(!engine.isAtRest, "a command waits")
        recorder.render(512)
        #expect(!engine.isAtRest)
        try engine.transport.stop()
        recorder.render(9_600)
        #expect(!engine.isAtRest, "meters still fall")
        recorder.render(48_000 * 15)
        #expect(engine.isAtRest && engine.state.buses[0] == .silence)
    }

    @Test("A command for a later frame, and a transport that rolls, are no rest")
    func waiting() throws {
        let engine = engine()
        let recorder = Recorder(engine, frames: 48_000)
        try engine.mixer[.track(0)].setGain(-6, at: FrameTime(10_000))
        recorder.render(4_800)
        #expect(!engine.isAtRest)
        recorder.render(9_600)
        #expect(engine.isAtRest)
        try engine.transport.start()
        recorder.render(4_800)
        #expect(!engine.isAtRest)
    }

    @Test("Whatever is sent is noted, for those who rest")
    func noting() throws {
        let engine = engine()
        let before = engine.activity.count
        engine.mixer[.track(0)].gain = -3
        #expect(engine.activity.count == before + 1)
        engine.transaction {
            engine.mixer[.track(0)].gain = -4
            engine.mixer[.track(0)].pan = 0.5
        }
        #expect(engine.activity.count > before + 1)
    }

    @Test("A wait ends with what is noted, and does not begin where that was before it")
    func activity() {
        let activity = Activity()
        let seen = activity.count
        activity.note()
        // Would last for a day.
        activity.wait(since: seen, seconds: 86_400)
        let isWaiting = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            Thread {
                let seen = activity.count
                isWaiting.signal()
                activity.wait(since: seen, seconds: 86_400)
                hasEnded.signal()
            }.start()
        }
        for _ in 0..<3 { isWaiting.wait() }
        activity.note()
        for _ in 0..<3 { #expect(hasEnded.wait(timeout: .now() + 60) == .success) }
        // Nothing is noted: it ends by itself.
        activity.wait(since: activity.count, seconds: 0.01)
        #expect(activity.count == 2)
    }

    @Test("Threads that feed are woken by what is asked for, and end when what they serve is gone")
    func feeding() {
        let threads = FeedThreads()
        let hasTurned = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let isGone = Atomic<Bool>(false)
        threads.start(2, name: "test") {
            if isGone.load(ordering: .relaxed) {
                hasEnded.signal()
                return .over
            }
            hasTurned.signal()
            return .atRest
        }
        for _ in 0..<2 { #expect(hasTurned.wait(timeout: .now() + 60) == .success) }
        threads.wake()
        #expect(hasTurned.wait(timeout: .now() + 60) == .success)
        isGone.store(true, ordering: .relaxed)
        threads.wake()
        for _ in 0..<2 { #expect(hasEnded.wait(timeout: .now() + 60) == .success) }
        threads.end()
    }
}
