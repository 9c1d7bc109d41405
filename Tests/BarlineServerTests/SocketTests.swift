import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// State, changes, positions and acknowledgements over a real WebSocket.
@Suite("WebSocket", .serialized)
struct SocketTests {
    @Test("A client gets the state, and then what changes, as patches that give the same state")
    func patches() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            var state = try client.json("state")
            for action in [
                #"{"do": "editClip", "clip": "a", "set": {"name": "A/B ~"}}"#, #"{"do": "addTrack", "name": "x"}"#,
                #"{"do": "removeClip", "clip": "c"}"#, #"{"do": "gain", "track": "t", "db": -3}"#, #"{"do": "undo"}"#,
            ] {
                #expect(try served.act(action)["results"]?[0]?["ok"] == true)
            }
            var revision = state["revision"]?.number ?? 0
            // Nothing plays: when no patch has come for a while, none will.
            while let patch = try? client.json("patch", within: 1) {
                #expect(patch["revision"]?.number == revision + 1)
                revision += 1
                for change in patch["patch"]?.list ?? [] { state = try PatchModel.applying(change, to: state) }
            }
            let whole = try served.request("GET", "/api/session").json
            #expect(state["session"] == whole?["session"])
            #expect(state["history"] == whole?["history"])
            #expect(state["clips"] == whole?["clips"])
            let gain = state["session"]?["tracks"]?[0]?["gain"]?.number
            #expect(gain == 0 && state["clips"]?["c"] == nil, "the last action was undone, the ones before were not")
        }
    }

    @Test("Nothing is made of the state while nobody looks on, and who comes then gets what is")
    func unwatched() async throws {
        try await serving { served async throws in
            for number in 1...6 {
                let action = #"{"do": "editTrack", "track": "t", "set": {"name": "Name \#(number)"}}"#
                #expect(try served.act(action)["results"]?[0]?["ok"] == true)
                // Longer than whatever looks on now and then waits.
                try await Task.sleep(for: .milliseconds(300))
            }
            var client: TestWebSocket? = try TestWebSocket(port: served.port)
            // What is asked for before the state has come is answered after it.
            client?.send(#"{"request": "r", "do": "gain", "track": "t", "db": -3}"#)
            let state = try client?.json("state")
            #expect(state?["revision"]?.number == 1 && state?["session"]?["tracks"]?[0]?["name"] == "Name 6")
            #expect(try client?.json("ack")["request"] == "r")
            client = nil
            // It is made again for who comes later.
            #expect(try served.act(#"{"do": "addTrack", "name": "Late"}"#)["results"]?[0]?["ok"] == true)
            let second = try TestWebSocket(port: served.port)
            var later = try second.json("state")
            while later["session"]?["tracks"]?[2]?["name"] != "Late" {
                for change in try second.json("patch")["patch"]?.list ?? [] {
                    later = try PatchModel.applying(change, to: later)
                }
            }
        }
    }

    @Test("An action is acknowledged with the frame on which the engine took it")
    func acknowledged() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            _ = try client.json("state")
            let before = served.session.player.engine.state.frame.rawValue
            client.send(#"{"request": "r1", "do": "launch", "clip": "a"}"#)
            let ack = try client.json("ack")
            #expect(ack["request"] == "r1" && ack["ok"] == true)
            let frame = Int64(ack["frame"]?.number ?? -1)
            #expect(frame >= before && frame <= served.session.player.engine.state.frame.rawValue)
            let second = try TestWebSocket(port: served.port)
            _ = try second.json("state")
            client.send(#"{"request": 2, "do": "launch", "clip": "b"}"#)
            for listener in [client, second] {
                let events = try listener.json("events") { value in
                    value["events"]?.list.contains { $0["event"] == "clipStarted" && $0["clip"] == "b" } == true
                }
                #expect(!(events["events"]?.list.isEmpty ?? true))
            }
            client.send(#"{"request": 3, "do": "launch", "clip": "none"}"#)
            let refusal = try client.json("ack") { $0["request"]?.number == 3 }
            #expect(refusal["ok"] == false && refusal["error"]?.text?.contains("none") == true)
            client.send(#"{"ping": 77}"#)
            #expect(try client.json("pong")["ping"]?.number == 77)
        }
    }

    @Test("Binary frames tell positions as the engine has them, with a clock that is even")
    func positions() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            let state = try client.json("state")
            client.send(#"{"do": "launch", "clip": "a"}"#)
            let number = try #require(state["clips"]?["a"]?["number"]?.number)
            var frames: [[UInt8]] = []
            while frames.count < 90 { frames.append(try client.binary()) }
            let playing = frames.filter { $0.integer(104, as: Int32.self) == Int32(number) }
            #expect(playing.count > 45)
            for frame in frames {
                #expect(frame[0] == 1)
                #expect(frame.integer(2, as: UInt16.self) == 2)
                #expect(frame.integer(4, as: UInt16.self) == 0)
                let beats = Int(frame.integer(6, as: UInt16.self))
                #expect(frame.count == 104 + 2 * 48 + 16 * beats + 32 + 8 + 24)
            }
            // 4 beats at 120 BPM are 96000 frames.
            for (first, second) in zip(playing, playing.dropFirst()) {
                let moved = second.double(8) - first.double(8)
                let pace = first.double(104 + 24)
                #expect(abs(pace - 1.0 / 96_000) < 1e-12)
                let expected = (first.double(104 + 16) + moved / 96_000).truncatingRemainder(dividingBy: 1)
                let found = second.double(104 + 16)
                #expect(abs(found - expected) < 1e-6)
            }
            let offsets = frames.suffix(30).map { $0.double(16) - $0.double(8) / 48_000 }
            let spread = (offsets.max() ?? 1) - (offsets.min() ?? 0)
            #expect(spread < 0.02)
            #expect(frames.contains { $0.float(84) > 0.1 })
            let latency = frames[0].float(56)
            #expect(abs(latency - (256.0 + 144) / 48_000) < 1e-6)
        }
    }

    @Test("While nothing moves positions come ten times a second; as soon as something does, they come as they did")
    func standstill() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            _ = try client.json("state")
            func times(_ count: Int) throws -> [Double] {
                let times = try (0..<count + 1).map { _ in try client.binary().double(16) }
                return zip(times, times.dropFirst()).map { $1 - $0 }
            }
            // Ten in a row as far apart as that are no accident of a busy machine.
            func rests() throws -> Bool { try times(10).allSatisfy { $0 > 0.06 } }
            var tries = 0
            while try !rests(), tries < 60 { tries += 1 }
            #expect(tries < 60)
            client.send(#"{"do": "launch", "clip": "a"}"#)
            tries = 0
            while try rests(), tries < 60 { tries += 1 }
            #expect(tries < 60)
            client.send(#"{"do": "stopNow", "track": "t"}"#)
            client.send(#"{"do": "transport", "action": "stop"}"#)
            tries = 0
            // Meters fall for some ten seconds.
            while try !rests(), tries < 300 { tries += 1 }
            #expect(tries < 300)
        }
    }

    @Test(
        "Outputs are reported: their level, what was over full scale until it is reset, and how far they are held down")
    func outputs() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            _ = try client.json("state")
            func output() throws -> (frame: [UInt8], place: Int) {
                let frame = try client.binary()
                return (frame, frame.count - 24)
            }
            func wait(_ isSo: (UInt32, Float, Float) -> Bool) throws -> Bool {
                for _ in 0..<1_200 {
                    let (frame, place) = try output()
                    let overs = frame.integer(place + 16, as: UInt32.self)
                    if isSo(overs, frame.float(place + 8), frame.float(place + 20)) { return true }
                }
                return false
            }
            let (first, place) = try output()
            #expect(first.integer(place - 8, as: UInt32.self) == 1)
            #expect(try wait { overs, gain, _ in overs == 0 && gain == 1 })
            client.send(#"{"do": "gain", "track": "t", "db": 12}"#)
            client.send(#"{"do": "launch", "clip": "a"}"#)
            #expect(try wait { overs, gain, peak in overs > 100 && gain < 0.7 && peak > 1.5 })
            client.send(#"{"do": "stopNow", "track": "t"}"#)
            #expect(try wait { overs, gain, _ in overs > 100 && gain == 1 })
            client.send(#"{"do": "resetOvers"}"#)
            #expect(try wait { overs, _, peak in overs == 0 && peak == 0 })
        }
    }

    @Test("Who listens hears no peak above the ceiling either, unless the limiter is off")
    func limitedListening() async throws {
        try await serving { served async throws in
            let sound = try TestWebSocket(port: served.port, path: "/api/listen")
            func loudest(_ blocks: Int) throws -> Float {
                var loudest: Float = 0
                for _ in 0..<blocks {
                    let block = try sound.binary()
                    for place in stride(from: 16, to: block.count, by: 4) {
                        loudest = max(loudest, abs(block.float(place)))
                    }
                }
                return loudest
            }
            #expect(try served.act(#"{"do": "gain", "track": "t", "db": 12}"#).json?["results"]?[0]?["ok"] == true)
            #expect(try served.act(#"{"do": "launch", "clip": "a"}"#).json?["results"]?[0]?["ok"] == true)
            let limited = try loudest(60)
            #expect(limited > 0.7 && limited < 0.8913)
            let off = #"{"do": "editSession", "set": {"master": {"limiter": false}}}"#
            #expect(try served.act(off).json?["results"]?[0]?["ok"] == true)
            #expect(try eventually { try loudest(5) > 1.5 })
        }
    }

    @Test("The playlist is reported: its items, what plays, and where in it")
    func playlist() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port)
            let insert = #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "x","#
            #expect(try served.act(insert + #" "title": "X"}"#).json?["results"]?[0]?["ok"] == true)
            #expect(
                try served.act(#"{"do": "playlist", "action": "repeat", "value": "one"}"#).json?["results"]?[0]?["ok"]
                    == true)
            client.send(#"{"do": "playlist", "action": "play"}"#)
            let plays = eventually {
                let state = try? served.request("GET", "/api/session").json?["playlist"]
                return state?["phase"] == "playing" && state?["items"]?["x"]?["duration"]?.number == 1
            }
            let state = try served.request("GET", "/api/session").json
            #expect(plays && state?["playlist"]?["current"] == "x" && state?["playlist"]?["repeat"] == "one")
            #expect(state?["playlist"]?["items"]?["x"]?["title"] == "X")
            #expect(state?["session"]?["playlist"]?.list.count == 1)
            #expect(state?["history"]?["undo"] == "Change repetition")
            let number = try #require(state?["playlist"]?["items"]?["x"]?["number"]?.number)
            var positions: [(frame: Double, position: Double)] = []
            while positions.count < 30 {
                let frame = try client.binary()
                let place = frame.count - 32 - 8 - 24
                guard frame.integer(place + 4, as: UInt32.self) == 3 else { continue }
                #expect(frame.integer(place, as: Int32.self) == Int32(number))
                positions.append((frame.double(8), frame.double(place + 8)))
            }
            for (first, second) in zip(positions, positions.dropFirst()) {
                let moved = (second.frame - first.frame) / 48_000
                let expected = (first.position + moved).truncatingRemainder(dividingBy: 1)
                #expect(abs(second.position - expected) < 1e-6)
            }
        }
    }

    @Test("A client that does not read loses binary frames, and is sent the whole state when it reads again")
    func slowClient() async throws {
        try await serving { served async throws in
            let slow = try TestWebSocket(port: served.port, receiveBuffer: 32 << 10)
            _ = try slow.json("state")
            let long = String(repeating: "n", count: 60_000)
            for step in 0..<150 {
                let edit = #"{"do": "editClip", "clip": "a", "set": {"name": "\#(long)\#(step)"}}"#
                #expect(try served.act(edit).status == 200)
                try await Task.sleep(for: .milliseconds(20))
            }
            let name: JSONValue = .string(long + "149")
            let again = try slow.json("state", within: 60)
            #expect((again["revision"]?.number ?? 0) > 10)
            var isLast = again["session"]?["tracks"]?[0]?["clips"]?[0]?["name"] == name
            while !isLast {
                let patch = try slow.json("patch")
                isLast = patch["patch"]?.list.contains { $0["value"] == name } == true
            }
        }
    }

    @Test("A hundred clients see the same")
    func hundred() async throws {
        try await serving { served async throws in
            let clients = try (0..<100).map { _ in try TestWebSocket(port: served.port) }
            for client in clients { _ = try client.json("state") }
            clients[0].send(#"{"do": "gain", "track": "t", "db": -7}"#)
            for client in clients {
                let patch = try client.json("patch") { value in
                    value["patch"]?.list.contains { $0["path"] == "/session/tracks/0/gain" } == true
                }
                #expect(patch["patch"]?.list.contains { $0["value"]?.number == -7 } == true)
            }
        }
    }

    @Test("What is listened to is what was played, frame by frame")
    func listening() async throws {
        try await serving { served async throws in
            let client = try TestWebSocket(port: served.port, path: "/api/listen")
            #expect(try served.act(#"{"do": "launch", "clip": "a"}"#).status == 200)
            let format = try client.json("format")
            #expect(format["sampleRate"]?.number == 48_000 && format["channels"]?.number == 2)
            var next: Double?
            var loudest: Float = 0
            for _ in 0..<60 {
                let block = try client.binary()
                let frames = Int(block.integer(2, as: UInt16.self))
                #expect(block[0] == 2 && block[1] == 2 && block.count == 16 + 8 * frames)
                if let next { #expect(block.double(8) == next) }
                next = block.double(8) + Double(frames)
                for frame in 0..<frames { loudest = max(loudest, abs(block.float(16 + 8 * frame))) }
            }
            #expect(loudest > 0.1)
        }
    }
}
