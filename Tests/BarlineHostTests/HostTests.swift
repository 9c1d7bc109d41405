import BarlineEngine
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineHost

/// A session that plays without a face, paced by the clock.
@Suite("Hosts")
struct HostTests {
    @Test("Observers get events, positions, changes of the session and notices, and of the end once")
    func telling() async throws {
        let stage = try await HostStage()
        let witness = Witness(HostInterest(positionInterval: 0.01, sound: true))
        let quiet = Witness()
        stage.host.add(witness)
        stage.host.add(quiet)
        stage.host.start()
        #expect(eventually { witness.all.frames.contains { $0 > 4_800 } })
        let reported = (witness.all.frames.count, quiet.all.frames.count)
        #expect(eventually { witness.all.frames.count > reported.0 + 5 })
        #expect(quiet.all.frames.count == reported.1, "nothing has happened")
        _ = try stage.host.session.perform(.launch(clip: "a"))
        #expect(
            eventually {
                witness.all.events.hasStart && witness.all.audibleEvents.hasStart && quiet.all.events.hasStart
            })
        _ = try stage.host.session.perform(.gain(.track("t"), db: -3))
        #expect(eventually { witness.all.documents.last?.tracks[0].gain == -3 })
        stage.host.notify("the bar is open", to: .clients)
        #expect(eventually { quiet.all.notices == [HostNotice("the bar is open", to: .clients)] })
        try stage.host.stop()
        for observer in [witness, quiet] {
            #expect(observer.all.closings == 1)
            #expect(observer.all.ends == 1)
            #expect(observer.all.missed == 0)
        }
        #expect(stage.host.areObserversDone)
        #expect(quiet.all.sound.isEmpty)
        // Pieces of sound follow each other without a gap, and what was launched is in them.
        let sound = witness.all.sound
        #expect(sound.first?.frame == .zero)
        #expect(zip(sound, sound.dropFirst()).allSatisfy { $0.frame + Int64($0.left.count) == $1.frame })
        #expect(sound.contains { $0.left.contains { abs($0) > 0.1 } })
    }

    @Test("A session that nobody plays is looked at ten times a second, and at once when something is asked for")
    func resting() async throws {
        let stage = try await HostStage()
        let witness = Witness(HostInterest(positionInterval: 0.001))
        stage.host.add(witness)
        stage.host.start()
        #expect(eventually { !witness.all.frames.isEmpty })
        let before = witness.all.frames
        #expect(eventually { (witness.all.frames.last ?? 0) > before[0] + 96_000 })
        // Two seconds of the clock: while something plays it is looked at 66 times a second.
        #expect(witness.all.frames.count - before.count < 60)
        _ = try stage.host.session.perform(.launch(clip: "a"))
        #expect(eventually { witness.all.events.hasStart })
        let playing = witness.all.frames
        #expect(eventually { (witness.all.frames.last ?? 0) > (playing.last ?? 0) + 48_000 })
        try stage.host.stop()
        #expect(witness.all.ends == 1)
    }

    @Test("An observer that hangs keeps neither the others nor the end waiting; what it misses is counted")
    func hanging() async throws {
        let stage = try await HostStage()
        let gate = DispatchSemaphore(value: 0)
        let stuck = Witness(HostInterest(positionInterval: 0.01), waitingFor: gate)
        let witness = Witness()
        stage.host.add(stuck)
        stage.host.add(witness)
        stage.host.start()
        _ = try stage.host.session.perform(.launch(clip: "a"))
        #expect(eventually { witness.all.events.hasStart })
        try stage.host.stop()
        #expect(witness.all.ends == 1)
        #expect(stuck.all.frames.isEmpty)
        #expect(!stage.host.areObserversDone)
        for _ in 0..<100 { gate.signal() }
        #expect(eventually { stuck.all.ends == 1 })
        #expect(stuck.all.events == witness.all.events)
    }

    @Test(
        "More than may wait for a slow observer is dropped, the oldest first, and every event is delivered or counted")
    func dropping() async throws {
        let gate = DispatchSemaphore(value: 0)
        let witness = Witness(waitingFor: gate)
        let queue = ObserverQueue(witness)
        let state = Engine(EngineConfiguration(trackCount: 1)).state
        let count = 3 * ObserverQueue.eventLimit
        for index in 0..<count {
            var report = HostReport(state)
            report.events = [EngineEvent(frame: FrameTime(Int64(index)), kind: .transport(.stopped))]
            queue.post(report, at: Double(index))
        }
        for _ in 0..<10 { gate.signal() }
        queue.finish()
        queue.awaitEnd(until: .now() + 60)
        let seen = witness.all
        #expect(seen.ends == 1)
        #expect(seen.events.count + seen.missed == count)
        #expect(seen.events.last?.frame.rawValue == Int64(count - 1))
        #expect(seen.missed > 0)
        let frames = seen.events.map(\.frame.rawValue)
        #expect(zip(frames, frames.dropFirst()).allSatisfy(<))
    }

    @Test("A script is performed on its frames, and what was done is written as one that does the same")
    func script() async throws {
        let stage = try await HostStage { plan, folder in
            plan.script = try PerformanceScript(
                text: #"{"frame": 0, "do": "launch", "clip": "a"}"# + "\n"
                    + #"{"frame": 9600, "do": "stop", "track": "t"}"#,
                path: "script")
            plan.record = folder.path("recorded.jsonl")
            plan.duration = 0.4
        }
        let witness = Witness()
        stage.host.add(witness)
        stage.host.start()
        #expect(eventually { stage.host.isEnding })
        try stage.host.stop()
        let frames = witness.all.events.compactMap { event -> Int64? in
            switch event.kind {
            case .launcher(.started), .launcher(.stopped): event.frame.rawValue
            default: nil
            }
        }
        #expect(frames == [0, 9600])
        let recorded = try PerformanceScript(path: stage.folder.path("recorded.jsonl"))
        #expect(recorded.entries.map(\.action) == [.launch(clip: "a"), .stop(track: "t")])
        #expect(recorded.entries.map { $0.time.frame(at: .standard)?.rawValue } == [0, 9600])
    }

    @Test(
        "A script waits for beats, those of the list do not hold up others, and none comes while the transport stands")
    func beats() async throws {
        let stage = try await HostStage { plan, _ in
            plan.script = try PerformanceScript(
                text: """
                    {"beat": 0, "do": "playlist", "action": "gain", "db": -6}
                    {"frame": 24000, "do": "transport", "action": "play"}
                    {"beat": 1, "do": "playlist", "action": "gain", "db": -3}
                    {"beat": 1, "do": "launch", "clip": "a"}
                    {"beat": 1.5, "do": "stop", "track": "t"}
                    """, path: "script")
            plan.duration = 2
        }
        let witness = Witness()
        stage.host.add(witness)
        stage.host.start()
        #expect(eventually { stage.host.isEnding })
        try stage.host.stop()
        let tempo = stage.host.player.document.tempo
        let expected = [1, 1.5].map { 24_000 + Int64(($0 * 60 / tempo * 48_000).rounded()) }
        let frames = witness.all.events.compactMap { event -> Int64? in
            switch event.kind {
            case .launcher(.started), .launcher(.stopped): event.frame.rawValue
            default: nil
            }
        }
        #expect(frames == expected)
        #expect(stage.host.player.document.playlistSettings.gain == -3)
    }

    @Test("Changes of a script are made when their frame has come, those at the start before anything plays")
    func changes() async throws {
        let stage = try await HostStage { plan, folder in
            plan.script = try PerformanceScript(
                text: """
                    {"frame": 0, "do": "stretchClip", "clip": "a", "mode": "tonal"}
                    {"frame": 0, "do": "launch", "clip": "a"}
                    {"frame": 9600, "do": "transposeClip", "clip": "a", "semitones": 3}
                    {"frame": 9600, "do": "setWarpMarker", "clip": "a", "sourceFrame": 1, "beat": 900}
                    """, path: "script")
            plan.record = folder.path("recorded.jsonl")
        }
        let witness = Witness()
        stage.host.add(witness)
        let start = stage.host.player.document.tracks[0].clips[0]
        #expect(start.playback == .stretch && start.stretchMode == .tonal && start.transpose == 0)
        stage.host.start()
        #expect(eventually { stage.host.player.document.tracks[0].clips[0].transpose == 3 })
        #expect(eventually { witness.all.notices.contains { "\($0)".contains("script: line 4: beat") } })
        try stage.host.stop()
        let recorded = try PerformanceScript(path: stage.folder.path("recorded.jsonl"))
        let edits = recorded.entries.compactMap { entry -> (frame: Int64, semitones: Double)? in
            guard case .session(let session, _) = entry.action else { return nil }
            return (entry.time.frame(at: .standard)?.rawValue ?? -1, session.tracks[0].clips[0].transpose)
        }
        let last = try #require(edits.last)
        #expect(last.semitones == 3 && last.frame >= 9_600)
        #expect(edits.dropLast().allSatisfy { $0.semitones == 0 && $0.frame == 0 })
    }

    @Test("What is asked for at the start belongs to the session that undo leads back to")
    func opening() async throws {
        let stage = try await HostStage { plan, _ in plan.opening = [.gain(.track("t"), db: -9)] }
        stage.host.start()
        #expect(stage.host.session.status.undo == nil)
        #expect(!stage.host.session.isDirty)
        _ = try stage.host.session.perform(.gain(.track("t"), db: -3))
        _ = try await stage.host.session.perform(.manage(.undo))
        #expect(stage.host.player.document.tracks[0].gain == -9)
        try stage.host.stop()
    }

    @Test("A file that the network may not name can be played by who has started the program")
    func reach() async throws {
        let other = try TemporaryFolder()
        let file = try other.write("b.wav", WaveFile([0, 0.5]).bytes)
        let stage = try await HostStage()
        let insertion = ScriptAction.playlist(.insert(index: 0, file: file, id: "x", title: nil))
        #expect(throws: SessionError.self) { _ = try stage.host.session.perform(insertion) }
        _ = try stage.host.session.perform(insertion, reach: .user)
        #expect(stage.host.player.document.playlist.map(\.id) == ["x"])
        #expect(stage.host.session.status.undo == "Add to playlist")
        try stage.host.stop()
    }

    @Test("What is asked for in JSON is answered with its frame, its result or why not, in words too")
    func answers() async throws {
        let stage = try await HostStage()
        stage.host.start()
        func answer(_ json: String) async throws -> JSONValue {
            let value = try JSONValue(parsing: Data(json.utf8))
            return await withCheckedContinuation { continuation in
                stage.host.session.answer(value, source: "input", reach: .user) { continuation.resume(returning: $0) }
            }
        }
        let launched = try await answer(#"{"do": "launch", "clip": "a"}"#)
        #expect(launched["ok"] == true && launched["frame"]?.number != nil)
        let added = try await answer(#"{"do": "addTrack", "name": "Three"}"#)
        #expect(added["ok"] == true && added["result"]?["track"] != nil)
        #expect(try await answer(#"{"do": "undo"}"#)["ok"] == true)
        #expect(stage.host.player.document.tracks.count == 2)
        let unsaid = try await answer(#"{"do": "toggle", "what": "mute"}"#)
        #expect(unsaid["ok"] == false)
        #expect(unsaid["message"] == "It has to be said which track is meant.")
        let unknown = try await answer(#"{"do": "launch", "clip": "z"}"#)
        #expect(unknown["error"] == "input: action.clip: there is no \"z\"")
        #expect(unknown["message"] == "There is no clip “z”.")
        try stage.host.stop()
    }

    @Test("Changes that were not saved are kept beside the file while it plays, without anybody asking")
    func autosave() async throws {
        let stage = try await HostStage()
        stage.host.start()
        _ = try stage.host.session.perform(.gain(.track("t"), db: -3))
        let folder = stage.folder.path("state") + "/autosave"
        #expect(
            eventually {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return names.count { $0.hasSuffix(".barline") } == 1
            })
        try stage.host.stop()
    }
}
