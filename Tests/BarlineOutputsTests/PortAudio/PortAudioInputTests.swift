#if PortAudio && JACK
    import BarlineDSP
    import BarlineEngine
    import BarlineTestSupport
    import BarlineTime
    import Foundation
    import Testing

    @testable import BarlineOutputs

    extension JackTests {
        /// What goes out by PortAudio, over a JACK server, and comes in again.
        @Suite("Inputs through PortAudio", .timeLimit(.minutes(10)))
        struct PortAudioInputTests {
            private static let beat = 12_000
            private static let block = 256

            /// A clip that is recorded from the device's first channel, which hears what the device plays.
            private static func take(
                _ alignment: InputAlignment, setsInputsLate: Bool
            ) throws -> (samples: [Float], region: Range<Int>, hasFaults: Bool, latencies: [InputLatency]) {
                let server = try JackServer(blockFrames: block, waitsForClients: true)
                defer { server.end() }
                let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 240)))
                engine.metronome.isOn = true
                try engine.inputs.open(InputIndex(0), channels: 1)
                let device = try PortAudioDevice(name: "JACK Audio Connection Kit: system")
                var input = DeviceInput(name: "mic", index: InputIndex(0), channels: [1])
                input.alignment = alignment
                let supervisor = try OutputSupervisor(
                    device, engine: engine, busNames: ["main"], inputs: setsInputsLate ? [] : [input],
                    reopenWith: { () throws(OutputError) in NullDevice() })
                defer { supervisor.stop() }
                #expect(supervisor.givesInputs)
                if setsInputsLate { supervisor.setInputs([input]) }
                #expect(supervisor.givesInputs && !device.isLost)
                let capture = try JackCapture(name: "capture", seconds: 1)
                defer { capture.close() }
                // PortAudio counts on where a stream takes the place of another one.
                #expect(capture.connect(setsInputsLate ? "PortAudio:out_2" : "PortAudio:out_0", to: "PortAudio:in_0"))
                let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
                try engine.launcher.launch(clip)
                let take = try #require(engine.launcher.take(of: clip))
                #expect(eventually { take.isFinished })
                let result = try #require(take.result)
                let samples = take.withSamples(from: 0) { left, _ in Array(left) }
                return (
                    samples, result.region, result.start.gaps > 0 || supervisor.xrunCount > 0,
                    supervisor.inputLatencies
                )
            }

            /// Where the first click of the take's bar begins to be heard, in frames from its beat.
            private static func onset(_ samples: [Float], _ region: Range<Int>) -> Int? {
                (region.lowerBound - beat / 2..<region.lowerBound + beat / 2).first { abs(samples[$0]) > 0.01 }
                    .map { $0 - region.lowerBound }
            }

            @Test(
                "What a device gives is recorded where it was played, also where inputs are asked for while it plays",
                arguments: [false, true])
            func loopback(setsInputsLate: Bool) throws {
                let (samples, region, hasFaults, latencies) = try Self.take(
                    .fixed(Self.block), setsInputsLate: setsInputsLate)
                #expect(region.count == 4 * Self.beat)
                // JACK gives what a client sends to itself a period later; a click begins with a zero.
                let onset = try #require(Self.onset(samples, region))
                #expect(hasFaults || (0...4).contains(onset), "\(onset) frames late")
                #expect(latencies == [InputLatency(input: InputIndex(0), frames: Self.block)])
            }

            @Test("What the device says of both ways is taken off, with what was measured of it")
            func declared() throws {
                let heard = try Self.take(.heard, setsInputsLate: false).latencies
                let captured = try Self.take(.captured, setsInputsLate: false).latencies
                #expect(heard.count == 1 && captured.count == 1)
                let both = try #require(heard.first)
                // How late that is over JACK, PortAudio does not know well; it is measured.
                #expect(both.frames >= (captured.first?.frames ?? .max) && both.frames < 48_000)
                #expect(both.outputDevice == "JACK Audio Connection Kit: system")
                #expect(both.inputDevice == both.outputDevice)
            }
        }
    }
#endif
