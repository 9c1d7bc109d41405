import BarlineEngine
import BarlineServer
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineSession

/// What controllers do, and what their pads show. The messages are handed over as a port would.
@Suite("MIDI control", .serialized)
struct MIDITests {
    /// A port whose other end is the test.
    private final class Wire: Sendable {
        private let incoming = Mutex<[(bytes: [UInt8], frame: FrameTime)]>([])
        private let outgoing = Mutex<[[UInt8]]>([])

        var port: MIDIControl.Port {
            MIDIControl.Port(
                take: { _ in
                    self.incoming.withLock { queue in
                        defer { queue = [] }
                        return queue
                    }
                },
                send: { bytes in
                    self.outgoing.withLock { $0.append(bytes) }
                    return true
                })
        }

        func send(_ bytes: [UInt8], _ frame: FrameTime) { incoming.withLock { $0.append((bytes, frame)) } }

        /// Whether everything that was sent has been taken.
        var isTaken: Bool { incoming.withLock { $0.isEmpty } }

        var sent: [[UInt8]] { outgoing.withLock { $0 } }
    }

    private func controlling(
        _ midi: String, _ body: (ServedSession, Wire, Reported) async throws -> Void
    ) async throws {
        try await serving { served async throws in
            #expect(try served.act(#"{"do": "editMIDI", "set": \#(midi)}"#)["results"]?[0]?["ok"] == true)
            let wire = Wire()
            let reported = Reported()
            let control = MIDIControl(served.session, port: wire.port) { reported.add($0) }
            defer { control.stop() }
            try await body(served, wire, reported)
        }
    }

    private final class Reported: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("A grid's pads launch and stop, and show what clips do")
    func grid() async throws {
        try await controlling(#"{"grid": "launchpad"}"#) { served, wire, reported in
            let engine = served.session.player.engine
            // Row 1 from the top is 81, 82, …: two tracks; row 2 has a clip on the first one.
            #expect(eventually { wire.sent.contains([0x90, 81, 11]) && wire.sent.contains([0x90, 82, 11]) })
            #expect(wire.sent.contains([0x90, 71, 11]) && wire.sent.contains([0x90, 72, 0]))
            let frame = engine.state.frame
            wire.send([0x90, 81, 127], frame)
            #expect(eventually { engine.state.tracks[0].playing?.clip == served.session.player.clips["a"]?.handle })
            #expect(eventually { wire.sent.contains([0x92, 81, 21]) })
            // Without a quantisation the clip is where it would be if it had begun on the press's own frame.
            let state = engine.state
            let expected = Double(state.frame - frame) / 96_000
            #expect(abs((state.tracks[0].playing?.progress ?? -1) - expected.truncatingRemainder(dividingBy: 1)) < 1e-6)
            wire.send([0x90, 72, 127], engine.state.frame)
            wire.send([0xb0, 89, 127], engine.state.frame)
            #expect(eventually { engine.state.tracks[1].playing != nil })
            wire.send([0x90, 62, 100], engine.state.frame)
            #expect(eventually { engine.state.tracks[1].playing == nil })
            #expect(reported.all.isEmpty)
            _ = try served.act(#"{"do": "editMIDI", "set": {"grid": null}}"#)
            #expect(eventually { Set(wire.sent.suffix(3)) == Set([81, 82, 71].map { [0x90, $0, 0] }) })
        }
    }

    @Test("Where a track has an input pads and learnt switches record, play and record over, and red lights say so")
    func recording() async throws {
        let document = """
            {"barline": 1, "launchQuantization": "none", "inputs": [{"name": "mic"}], "midi": {"grid": "launchpad"},
             "tracks": [{"id": "t", "input": "mic"}, {"id": "u", "input": "mic"}]}
            """
        try await serving(document: document) { served async throws in
            let player = served.session.player
            player.hasInputs.store(true, ordering: .relaxed)
            let (wire, reported) = (Wire(), Reported())
            let control = MIDIControl(served.session, port: wire.port) { reported.add($0) }
            defer { control.stop() }
            var last = FrameTime.zero
            func press(_ down: [UInt8], _ up: [UInt8]) {
                // No sooner than 0.4 s after the press before, which would make two of them a stop.
                #expect(eventually { player.engine.state.frame - last > 24_000 })
                last = player.engine.state.frame
                wire.send(down, last)
                wire.send(up, last)
            }
            func isSent(_ message: [UInt8], _ times: Int) -> Bool { wire.sent.count { $0 == message } >= times }
            press([0x90, 81, 127], [0x90, 81, 0])
            #expect(eventually { isSent([0x92, 81, 72], 1) }, "it records")
            press([0x90, 81, 127], [0x90, 81, 0])
            #expect(eventually { player.document.tracks[0].clips.count == 1 && isSent([0x92, 81, 21], 1) }, "it plays")
            press([0x90, 81, 127], [0x90, 81, 0])
            #expect(eventually { isSent([0x92, 81, 72], 2) }, "it is recorded over")
            press([0x90, 81, 127], [0x90, 81, 0])
            #expect(eventually { player.overdubs.isEmpty && player.document.tracks[0].clips[0].layers.count >= 1 })
            let learnRequest = #"{"do": "learn", "action": {"do": "footSwitch", "track": "u"}}"#
            #expect(try served.act(learnRequest)["results"]?[0]?["ok"] == true)
            wire.send([0xb0, 64, 127], .zero)
            wire.send([0xb0, 64, 0], .zero)
            #expect(eventually { player.document.rest["midi"]?["mappings"]?.list.count == 1 && wire.isTaken })
            press([0xb0, 64, 127], [0xb0, 64, 0])
            #expect(eventually { player.openTakes.map(\.track) == ["u"] })
            press([0xb0, 64, 127], [0xb0, 64, 0])
            #expect(eventually { player.document.tracks[1].clips.count == 1 })
            #expect(reported.all.isEmpty)
        }
    }

    @Test("A switch that stays where it is put is pressed by 127 and by 0, and is never held")
    func latching() async throws {
        let document = """
            {"barline": 1, "launchQuantization": "none", "inputs": [{"name": "mic"}],
             "midi": {"mappings": [
              {"message": "cc", "number": 80, "latching": true, "action": {"do": "footSwitch", "track": "t"}}]},
             "tracks": [{"id": "t", "input": "mic"}]}
            """
        try await serving(document: document) { served async throws in
            let player = served.session.player
            player.hasInputs.store(true, ordering: .relaxed)
            let (wire, reported) = (Wire(), Reported())
            let control = MIDIControl(served.session, port: wire.port) { reported.add($0) }
            defer { control.stop() }
            wire.send([0xb0, 80, 127], player.engine.state.frame)
            #expect(eventually { player.openTakes.contains { $0.since != nil } })
            let began = player.engine.state.frame
            #expect(eventually { player.engine.state.frame - began > 60_000 })
            #expect(player.openTakes.count == 1, "it is not held")
            wire.send([0xb0, 80, 0], player.engine.state.frame)
            #expect(eventually { player.openTakes.isEmpty && player.document.tracks[0].clips.count == 1 })
            #expect(player.document.tracks[0].clips.count == 1 && reported.all.isEmpty)
            #expect(MIDIDocument(player.document).mappings.map(\.isLatching) == [true])
        }
    }

    @Test("A control is learnt, moves its fader over its range, and is kept by the session")
    func learn() async throws {
        try await controlling("{}") { served, wire, reported in
            let learnRequest =
                #"{"do": "learn", "action": {"do": "gain", "track": "t"}, "key": "db", "from": -60, "to": 6}"#
            #expect(try served.act(learnRequest)["results"]?[0]?["ok"] == true)
            #expect(served.session.learnRequest != nil)
            wire.send([0xb3, 7, 1], .zero)
            #expect(eventually { served.session.player.document.rest["midi"]?["mappings"]?.list.count == 1 })
            #expect(served.session.learnRequest == nil)
            #expect(
                eventually {
                    wire.send([0xb3, 7, 127], .zero)
                    return served.session.player.document.tracks[0].gain == 6
                })
            wire.send([0xb3, 7, 0], .zero)
            #expect(eventually { served.session.player.document.tracks[0].gain == -60 })
            // Another channel's control is another one.
            wire.send([0xb4, 7, 127], .zero)
            #expect(eventually { wire.isTaken }, "or it is what the next lesson learns")
            let button = #"{"do": "learn", "action": {"do": "launch", "clip": "b"}}"#
            #expect(try served.act(button)["results"]?[0]?["ok"] == true)
            wire.send([0x90, 36, 100], .zero)
            #expect(eventually { served.session.player.document.rest["midi"]?["mappings"]?.list.count == 2 })
            #expect(
                eventually {
                    wire.send([0x90, 36, 100], served.session.player.engine.state.frame)
                    return served.session.player.engine.state.tracks[0].playing != nil
                })
            #expect(served.session.player.document.tracks[0].gain == -60 && reported.all.isEmpty)
            let refused = [
                ("dance", #"{"do": "dance"}"#), ("nobody", #"{"do": "mute", "track": "nobody", "on": true}"#),
                ("nothing", #"{"do": "launch", "clip": "nothing"}"#),
            ]
            for (word, action) in refused {
                let answer = try served.act(#"{"do": "learn", "action": \#(action)}"#)
                #expect(answer["results"]?[0]?["error"]?.text?.contains(word) == true, "\(answer)")
                #expect(served.session.learnRequest == nil)
            }
            // What is gone when the control is moved is not learnt, nor is what was for another session.
            #expect(try served.act(button)["results"]?[0]?["ok"] == true)
            #expect(try served.act(#"{"do": "removeClip", "clip": "b"}"#)["results"]?[0]?["ok"] == true)
            wire.send([0x90, 40, 100], .zero)
            #expect(eventually { wire.isTaken && served.session.learnRequest == nil })
            let track = #"{"do": "learn", "action": {"do": "mute", "track": "t"}, "key": "on"}"#
            #expect(try served.act(track)["results"]?[0]?["ok"] == true)
            #expect(served.session.player.document.rest["midi"]?["mappings"]?.list.count == 2)
            #expect(try served.act(#"{"do": "new", "discard": true}"#)["results"]?[0]?["ok"] == true)
            #expect(served.session.learnRequest == nil)
        }
    }

    @Test("Faders and switches do not wait for an edit that takes long")
    func longEdit() async throws {
        let mappings = """
            {"mappings": [
             {"message": "cc", "number": 7, "action": {"do": "gain", "track": "t"}, "key": "db", "from": -60, "to": 6},
             {"message": "note", "number": 1, "action": {"do": "toggle", "what": "mute", "track": "t"}}]}
            """
        try await controlling(mappings) { served, wire, reported in
            let player = served.session.player
            let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let edit = DocumentEdit("Wait") { _, _ in
                hasBegun.signal()
                mayEnd.wait()
                return [:]
            }
            served.session.submit(.edit(edit)) { _ in }
            hasBegun.wait()
            wire.send([0xb0, 7, 127], .zero)
            #expect(eventually(within: 20) { player.document.tracks[0].gain == 6 })
            for isMuted in [true, false, true] {
                wire.send([0x90, 1, 100], player.engine.state.frame)
                wire.send([0x80, 1, 0], player.engine.state.frame)
                #expect(eventually(within: 20) { player.document.tracks[0].mute == isMuted })
            }
            // An edit is tried again where the session has become another one meanwhile.
            for _ in 0..<4 { mayEnd.signal() }
            #expect(reported.all.isEmpty)
        }
    }

    @Test("Buttons turn over what has two states, as it is when they are pressed, and go through the scenes")
    func buttons() async throws {
        func button(_ number: Int, _ action: String) -> String {
            #"{"message": "note", "number": \#(number), "action": \#(action)}"#
        }
        let mappings = [
            button(1, #"{"do": "toggle", "what": "mute", "track": "t"}"#), button(2, #"{"do": "stepScene", "by": 1}"#),
            button(3, #"{"do": "stepScene", "by": -1}"#), button(4, #"{"do": "toggle", "what": "metronome"}"#),
            button(5, #"{"do": "undo"}"#), button(6, #"{"do": "toggle", "what": "transport"}"#),
        ]
        try await controlling("{\"mappings\": [\(mappings.joined(separator: ", "))]}") { served, wire, reported in
            let player = served.session.player
            func press(_ number: UInt8) {
                wire.send([0x90, number, 100], player.engine.state.frame)
                wire.send([0x80, number, 0], player.engine.state.frame)
            }
            func playing() -> [ClipHandle?] { player.engine.state.tracks.prefix(2).map { $0.playing?.clip } }
            let handles = player.clips.compactMapValues(\.handle)
            press(1)
            #expect(eventually { player.document.tracks[0].mute && player.engine.state.tracks[0].strip.isMuted })
            press(1)
            #expect(eventually { !player.document.tracks[0].mute && !player.engine.state.tracks[0].strip.isMuted })
            press(3)
            #expect(eventually { reported.all.contains { $0.contains("there is no scene before this one") } })
            press(2)
            #expect(eventually { playing() == [handles["a"], handles["c"]] })
            press(2)
            #expect(eventually { playing() == [handles["b"], nil] })
            press(2)
            #expect(eventually { reported.all.contains { $0.contains("there is no scene after this one") } })
            press(3)
            #expect(eventually { playing() == [handles["a"], handles["c"]] })
            press(4)
            #expect(eventually { player.document.metronome.isEnabled })
            press(5)
            #expect(eventually { !player.document.metronome.isEnabled })
            press(6)
            #expect(eventually { !player.engine.state.transport.isRolling })
            press(6)
            #expect(eventually { player.engine.state.transport.isRolling })
        }
    }

    @Test("What a button sets, or taps, is the session's, as if the page had set it")
    func settings() async throws {
        func button(_ number: Int, _ action: String) -> String {
            #"{"message": "note", "number": \#(number), "action": \#(action)}"#
        }
        let mappings = [
            button(1, #"{"do": "mute", "track": "t", "on": true}"#), button(2, #"{"do": "tempo", "bpm": 101}"#),
            button(3, #"{"do": "tap"}"#), button(4, #"{"do": "undo"}"#),
            button(5, #"{"do": "playlist", "action": "gain", "db": -9}"#),
        ]
        try await controlling("{\"mappings\": [\(mappings.joined(separator: ", "))]}") { served, wire, reported in
            let player = served.session.player
            func press(_ number: UInt8) {
                wire.send([0x90, number, 100], player.engine.state.frame)
                wire.send([0x80, number, 0], player.engine.state.frame)
            }
            press(1)
            #expect(eventually { player.document.tracks[0].mute && player.engine.state.tracks[0].strip.isMuted })
            press(4)
            #expect(eventually { !player.document.tracks[0].mute && !player.engine.state.tracks[0].strip.isMuted })
            let before = player.document.tempo
            press(3)
            #expect(eventually { wire.isTaken })
            try await Task.sleep(for: .milliseconds(300))
            press(3)
            // What a tap sets is heard of by events.
            #expect(eventually { player.document.tempo != before })
            #expect(player.document.tempo == player.engine.transport.tempo.beatsPerMinute)
            press(4)
            #expect(eventually { player.engine.transport.tempo.beatsPerMinute == before })
            press(2)
            #expect(eventually { player.document.tempo == 101 && player.engine.transport.tempo.beatsPerMinute == 101 })
            press(5)
            #expect(eventually { player.document.playlistSettings.gain == -9 })
            #expect(reported.all.isEmpty)
        }
    }

    @Test("Stems and the playlist are played and paused by one button each")
    func players() async throws {
        let document = """
            {"barline": 1, "stems": [{"id": "s", "file": "a.wav"}], "playlist": [{"id": "p", "file": "a.wav"}],
             "playlistSettings": {"repeat": "one"}}
            """
        let served = try await ServedSession(document: document)
        defer { served.end() }
        let player = served.session.player
        player.multitrack?.startFeeding()
        player.playlist.player.startFeeding()
        func toggle(_ what: String) throws { _ = try served.act(#"{"do": "toggle", "what": "\#(what)"}"#) }
        try toggle("stems")
        #expect(eventually { player.engine.state.multitrack.phase == .playing })
        try toggle("stems")
        #expect(eventually { player.engine.state.multitrack.phase == .paused })
        try toggle("playlist")
        #expect(eventually { player.playlist.player.phase == .playing })
        try toggle("playlist")
        #expect(eventually { player.playlist.player.phase == .paused })
        try toggle("shuffle")
        #expect(player.document.playlistSettings.isShuffled)
        let refused = try served.act(#"{"do": "toggle", "what": "mute", "track": "none"}"#)
        #expect(refused["results"]?[0]?["error"]?.text?.contains("none") == true)
        #expect(try served.act(#"{"do": "toggle", "what": "dance"}"#)["results"]?[0]?["ok"] == false)
    }

    @Test("After a flood of moves, broken messages and rubbish a fader is where it was moved last")
    func flood() async throws {
        let midi = """
            {"mappings": [{"message": "cc", "channel": 0, "number": 7, \
            "action": {"do": "gain", "track": "t"}, "key": "db", "from": -40, "to": 0}]}
            """
        try await controlling(midi) { served, wire, _ async throws in
            var random = TestRandom(seed: 21)
            for _ in 0..<100_000 {
                var bytes: [UInt8] = [0xB0, 7, UInt8(random.int(0...127))]
                if random.chance(0.2) { bytes = (0..<random.int(0...12)).map { _ in UInt8(random.int(0...255)) } }
                // A fader of this channel that is not mapped, and what could be taken for the one that is.
                if bytes.count == 3, random.chance(0.1) { bytes[1] = 8 }
                wire.send(bytes, served.session.player.engine.state.frame)
            }
            wire.send([0xB0, 7, 127], served.session.player.engine.state.frame)
            #expect(eventually { wire.isTaken })
            #expect(eventually { served.session.player.document.tracks[0].gain == 0 })
            #expect(try served.request("GET", "/api/session").status == 200)
        }
    }

    @Test("A program change launches the scene of its number, and garbage does nothing")
    func programs() async throws {
        try await controlling("{}") { served, wire, reported in
            for bytes: [UInt8] in [[], [0x90], [0xf8], [0x90, 200, 200], [0xe0, 1, 2], [0x12, 0x34]] {
                wire.send(bytes, .zero)
            }
            wire.send([0xc0, 0], served.session.player.engine.state.frame)
            #expect(eventually { served.session.player.engine.state.tracks.prefix(2).allSatisfy { $0.playing != nil } })
            wire.send([0xc0, 99], served.session.player.engine.state.frame)
            #expect(eventually { reported.all.contains { $0.contains("there is no \"99\"") } })
        }
    }

    @Test("A message that is cut off is none: no fader moves, and nothing is hit")
    func cutOff() async throws {
        let midi = """
            {"mappings": [
              {"message": "cc", "number": 7, "action": {"do": "gain", "track": "t"}, "key": "db", "from": -40, "to": 0},
              {"message": "note", "number": 36, "action": {"do": "launch", "clip": "a"}}]}
            """
        try await controlling(midi) { served, wire, _ async throws in
            let engine = served.session.player.engine
            wire.send([0xB0, 7, 0], engine.state.frame)
            #expect(eventually { served.session.player.document.tracks[0].gain == -40 })
            for bytes: [UInt8] in [[0xB0, 7], [0x90, 36], [0xB0, 7, 100, 100]] { wire.send(bytes, engine.state.frame) }
            #expect(eventually { wire.isTaken })
            #expect(served.session.player.document.tracks[0].gain == -40)
            #expect(engine.state.tracks.allSatisfy { $0.playing == nil && $0.queued == nil })
            wire.send([0x90, 36, 1], engine.state.frame)
            #expect(eventually { engine.state.tracks[0].playing != nil })
        }
    }
}
