import BarlineEngine
import BarlineTime
import Testing

@testable import BarlineOutputs

/// Which of the devices that ports are connected to recordings are aligned with.
@Suite("Devices that are heard and recorded from")
struct ConnectedDeviceTests {
    private let card = ConnectedDevice(name: "card", isPhysical: true, latency: 500)
    private let phones = ConnectedDevice(name: "phones", isPhysical: true, latency: 900)
    private let meter = ConnectedDevice(name: "meter", isPhysical: false, latency: 7_000)
    private let mic = ConnectedDevice(name: "card", isPhysical: true, latency: 300)
    private let synth = ConnectedDevice(name: "synth", isPhysical: false, latency: 10)

    private func latency(
        _ outputs: [ConnectedDevice], _ inputs: [ConnectedDevice], measured: [(String, String)] = [("card", "card")]
    ) -> InputLatency {
        var input = DeviceInput(name: "mic", index: InputIndex(0), channels: [1])
        input.corrections = measured.map {
            LatencyCorrection(output: $0, input: $1, sampleRate: .standard, frames: 188)
        }
        return input.latency(engine: 240, outputs: outputs, inputs: inputs, sampleRate: 48_000)
    }

    private func known(_ frames: Int, _ correction: Int, _ output: String?, _ input: String?) -> InputLatency {
        InputLatency(
            input: InputIndex(0), frames: frames, correction: correction, outputDevice: output, inputDevice: input)
    }

    @Test("One on each side: both latencies, the engine's and what was measured")
    func one() {
        #expect(latency([card], [mic]) == known(500 + 300 + 240 + 188, 188, "card", "card"))
        #expect(latency([phones], [mic]) == known(900 + 300 + 240, 0, "phones", "card"))
        #expect(latency([meter], [synth]) == known(7_000 + 10 + 240, 0, "meter", "synth"))
        #expect(latency([], []) == known(240, 0, nil, nil))
    }

    @Test("Other programs on the same ports change nothing")
    func programs() {
        let alone = latency([card], [mic])
        #expect(latency([meter, card], [mic]) == alone)
        #expect(latency([card], [synth, mic]) == alone)
        #expect(latency([meter, card, card], [mic, synth, mic]) == alone)
    }

    @Test("Of several devices the one that was measured; where none or several were, the latest, and no name")
    func several() {
        #expect(latency([phones, card], [mic]) == latency([card], [mic]))
        #expect(latency([phones, card], [mic], measured: []) == known(900 + 300 + 240, 0, nil, "card"))
        let both = latency([phones, card], [mic], measured: [("card", "card"), ("phones", "card")])
        #expect(both == known(900 + 300 + 240, 0, nil, "card"))
        // Measured with another input, at another rate: that tells nothing of this one.
        #expect(latency([phones, card], [synth]) == known(900 + 10 + 240, 0, nil, "synth"))
    }
}
