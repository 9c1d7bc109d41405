import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// One program that follows another one's MIDI clock on a real server, by the clicks of both.
    @Suite("Following a MIDI clock through JACK", .timeLimit(.minutes(10)))
    struct JackFollowTests {
        /// A program that plays a set with a click.
        private struct Player {
            let program: Program

            init(_ folder: TemporaryFolder, tempo: Double, _ options: [String] = []) throws {
                let set = try folder.write(
                    "set \(tempo).barline",
                    """
                    {"barline": 1, "tempo": \(tempo), "limiter": false, "metronome": {"enabled": true},
                     "tracks": []}
                    """)
                let argument = CommandLine.arguments[0]
                let path = URL(fileURLWithPath: argument).deletingLastPathComponent().appendingPathComponent("barline")
                program = try Program(
                    path.path, ["run", set, "--backend", "jack", "--no-autoconnect", "--no-page"] + options,
                    environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_DATA_HOME": folder.path("data")])
            }

            func perform(_ line: String) { program.send(Array((line + "\n").utf8)) }
        }

        @Test("The clicks of what follows are those of what leads, after a step of the tempo too, and end with them")
        func clicks() throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            let folder = try TemporaryFolder()
            let capture = try JackCapture(name: "heard", seconds: 120)
            let follower = try Player(folder, tempo: 90, ["--clock", "midi"])
            defer { follower.program.end() }
            #expect(eventually { capture.connect("barline:main_1", to: "heard:in_1") })
            let leader = try Player(folder, tempo: 137.3)
            defer { leader.program.end() }
            #expect(eventually { capture.connect("barline-01:main_1", to: "heard:in_2") })
            #expect(eventually { capture.connect("barline-01:clock_out", to: "barline-midi:control_in") })
            func pass(_ seconds: Double) {
                let end = capture.frameCount + Int(48_000 * seconds)
                #expect(eventually(within: 60) { capture.frameCount > end })
            }
            pass(2)
            leader.perform(#"{"do": "transport", "action": "play"}"#)
            pass(10)
            let settled = capture.frameCount - 3 * 48_000
            leader.perform(#"{"do": "tempo", "bpm": 120}"#)
            let stepped = capture.frameCount
            pass(12)
            leader.perform(#"{"do": "transport", "action": "stop"}"#)
            let stopped = capture.frameCount
            pass(2)
            capture.close()
            let (led, leading) = (onsets(capture.left), onsets(capture.right))
            for range in [settled..<stepped, stopped - 4 * 48_000..<stopped - 24_000] {
                let own = leading.filter(range.contains)
                #expect(own.count > 5)
                for click in own {
                    let nearest = led.map { abs($0 - click) }.min() ?? .max
                    #expect(nearest <= 48, "\(click): \(nearest) frames")
                }
            }
            #expect(!led.isEmpty && led.allSatisfy { $0 < stopped + 24_000 })
            // It has begun with the leader, not before: at most a beat is missing.
            #expect((led.first ?? 0) - (leading.first ?? .max) < 48_000 && (led.first ?? 0) > 2 * 48_000)
        }

        /// The frames on which sound comes after a thousand frames of silence.
        private func onsets(_ heard: [Float]) -> [Int] {
            var last = -1_000
            return heard.indices.filter { heard[$0] != 0 }.filter { frame in
                defer { last = frame }
                return frame - last > 1_000
            }
        }
    }
}
