import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Synchronization
import Testing

/// Many threads drive one engine while another one renders it. What matters most is what ThreadSanitizer says.
@Suite("Threads")
struct ThreadStormTests {
    static var seconds: Double {
        ProcessInfo.processInfo.environment["BARLINE_STORM_SECONDS"].flatMap(Double.init) ?? 3
    }

    /// Clips that are loaded, as far as the threads know. `Mutex` would be unknown to ThreadSanitizer on Linux, and so
    /// is the reference count of an array: the list itself never leaves the lock.
    final class ClipList: @unchecked Sendable {
        private let lock = NSLock()
        private var clips: [ClipHandle] = []

        func any(_ random: inout TestRandom) -> ClipHandle? {
            lock.withLock { clips.isEmpty ? nil : clips[random.int(0...clips.count - 1)] }
        }
        func append(_ clip: ClipHandle) { lock.withLock { clips.append(clip) } }
        func remove(_ clip: ClipHandle) { lock.withLock { clips.removeAll { $0 == clip } } }
    }

    /// What the threads share.
    final class Storm: Sendable {
        let engine: Engine
        let isOver = Atomic<Bool>(false)
        let refusals = Atomic<Int>(0)
        let calls = Atomic<Int>(0)
        private let clips = ClipList()

        init(_ engine: Engine) { self.engine = engine }

        func drive(_ seed: UInt64) {
            var random = TestRandom(seed: seed)
            while !isOver.load(ordering: .relaxed) {
                do {
                    try act(&random)
                } catch {
                    // A full queue, or a clip that another thread has unloaded meanwhile.
                    refusals.add(1, ordering: .relaxed)
                    Thread.sleep(forTimeInterval: 0.0005)
                }
                calls.add(1, ordering: .relaxed)
            }
        }

        private func settings(_ random: inout TestRandom) -> ClipSettings {
            ClipSettings(
                track: TrackIndex(random.int(0...7)), region: random.chance(0.5) ? 3..<400 : nil,
                beats: random.chance(0.8) ? random.double(0.01...4) : nil, loops: random.chance(0.7),
                launchMode: random.pick(LaunchMode.allCases), startPosition: random.pick(StartPosition.allCases),
                quantization: random.chance(0.5) ? random.pick(Grid.all).quantization : nil)
        }

        private func buffer(_ random: inout TestRandom) -> SampleBuffer {
            let value = Float(random.double(-0.1...0.1))
            return SampleBuffer(left: [Float](repeating: value, count: random.int(400...3_000)), sampleRate: .standard)
        }

        private func act(_ random: inout TestRandom) throws {
            let track = TrackIndex(random.int(0...7))
            let frame =
                random.chance(0.3)
                ? FrameTime(max(0, engine.state.frame.rawValue + Int64(random.int(-900...9_000)))) : nil
            guard let clip = clips.any(&random), !random.chance(0.05) else {
                let clip = try engine.launcher.load(buffer(&random), settings: settings(&random))
                clips.append(clip)
                return
            }
            switch random.int(0...28) {
            case 0...5: try engine.launcher.launch(clip, at: frame)
            case 6: try engine.launcher.release(clip, at: frame)
            case 7:
                try engine.launcher.launchScene(
                    [clip, clips.any(&random) ?? clip], stopping: [track],
                    tempo: Tempo(clamping: random.double(20...999)),
                    at: frame)
            case 8: try engine.launcher.stop(track, at: frame)
            case 9: try engine.launcher.stopNow(track, at: frame)
            case 10: try engine.launcher.stopAll(at: frame)
            case 11:
                try engine.transport.setTempo(
                    Tempo(clamping: random.double(20...999)), overBeats: random.double(0...4), at: frame)
            case 12: try engine.transport.setTimeSignature(TimeSignature(random.int(1...9), 8) ?? .common, at: frame)
            case 13: try engine.launcher.setQuantization(random.pick(Grid.all).quantization, at: frame)
            case 14: try engine.launcher.setSnapTolerance(random.double(0...0.5), at: frame)
            case 15: try engine.launcher.setFirstLaunch(random.pick(FirstLaunch.allCases), at: frame)
            case 16: _ = try random.chance(0.5) ? engine.transport.start(at: frame) : engine.transport.stop(at: frame)
            case 17: try engine.mixer[.track(track)].setGain(Decibels(random.double(-20...0)), at: frame)
            case 18: try engine.mixer[.track(track)].setPan(random.double(-1...1), at: frame)
            case 19: try engine.mixer[.track(track)].setMute(random.chance(0.5), at: frame)
            case 20: try engine.mixer[.track(track)].setSolo(random.chance(0.2), at: frame)
            case 21: try engine.mixer[.track(track)].setBus(BusIndex(random.int(0...1)), at: frame)
            case 22: try engine.mixer[BusIndex(random.int(0...1))].setGain(Decibels(random.double(-20...0)), at: frame)
            case 23: try engine.launcher.setGain(Decibels(random.double(-20...0)), of: clip, at: frame)
            case 24: try engine.launcher.replace(clip, with: buffer(&random), settings: settings(&random))
            case 25:
                clips.remove(clip)
                try engine.launcher.unload(clip)
            case 26:
                try engine.transport.relocate(to: Beat(random.double(0...64)), at: frame)
                try engine.transport.setLoop(from: Beat(0), length: random.double(0...8), at: frame)
            case 27:
                let send = engine.mixer[.track(track)].send(to: BusIndex(random.int(0...1)))
                try send.setLevel(Decibels(random.double(-20...0)), over: .seconds(random.double(0...1)), at: frame)
                try send.setPreFader(random.chance(0.5), at: frame)
            default:
                if random.chance(0.1) {
                    engine.setSampleRate(SampleRate(random.pick([44_100, 48_000, 96_000])) ?? .standard)
                }
                engine.rejoin()
            }
            _ = engine.state.status(of: clip, on: track)
            _ = engine.launcher.settings(of: clip)
        }
    }

    @Test("Eight threads drive one engine at random while it renders")
    func storm() throws {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 8, busCount: 2, clipCapacity: 48, voiceCount: 32, commandCapacity: 256, tapFrames: 4_096))
        let queue = engine.events.queue()
        let storm = Storm(engine)
        let group = DispatchGroup()
        for seed in 1...8 {
            group.enter()
            Thread.detachNewThread {
                storm.drive(UInt64(seed))
                group.leave()
            }
        }
        var random = TestRandom(seed: 0)
        var events: [EngineEvent] = []
        var frames: Int64 = 0
        var isFinite = true
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 2_048)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 4)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<4 { (pointers + channel).initialize(to: samples + 2_048 * channel) }
        let end = Date().addingTimeInterval(ThreadStormTests.seconds)
        while Date() < end {
            let count = random.int(0...2_048)
            engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 4, frames: count))
            frames += Int64(count)
            for channel in 0..<4 {
                for frame in 0..<count where !samples[2_048 * channel + frame].isFinite { isFinite = false }
            }
            // Tens of millions of frames an hour are rendered: only order and kind are kept.
            let batch = queue.take()
            if let last = events.last, let first = batch.first { #expect(last.frame <= first.frame) }
            #expect(zip(batch, batch.dropFirst()).allSatisfy { $0.frame <= $1.frame })
            if !batch.isEmpty { events = batch }
        }
        storm.isOver.store(true, ordering: .relaxed)
        group.wait()
        #expect(isFinite)
        #expect(engine.state.frame.rawValue == frames)
        #expect(storm.calls.load(ordering: .relaxed) > 100)

        // Afterwards the engine follows commands.
        for _ in 0..<20 {
            engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 4, frames: 2_048))
        }
        try engine.transport.stop()
        engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 4, frames: 2_048))
        #expect(!engine.state.transport.isRolling)
        #expect(engine.state.tracks.allSatisfy { $0.playing == nil && $0.queued == nil })
        engine.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: 4, frames: 2_048))
        #expect(engine.state.voicesInUse == 0)
    }
}
