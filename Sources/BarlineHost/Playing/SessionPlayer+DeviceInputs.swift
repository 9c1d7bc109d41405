import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime

extension SessionPlayer {
    /// What a device has to provide, with what was measured of devices: inputs that have a signal need none.
    func deviceInputs(_ measured: [MeasuredLatency]) -> [DeviceInput] {
        let fed = fedInputs.withLock { $0 }
        let places = inputs.filter { !fed.contains($0.value) }
        let corrections = measured.compactMap { latency in
            SampleRate(latency.sampleRate).map { rate in
                LatencyCorrection(
                    output: latency.output, input: latency.input, sampleRate: rate, frames: latency.correction)
            }
        }
        return document.inputs.filter { $0.from == nil }.compactMap { input in
            places[input.name].map { place in
                var device = DeviceInput(name: input.name, index: place, channels: input.channels)
                device.corrections = corrections
                device.alignment =
                    if let frames = input.latency { .fixed(frames) } else if input.alignment == .captured {
                        .captured
                    } else {
                        .heard
                    }
                return device
            }
        }
    }

    /// Notes the latency of the inputs, for what is recorded of them from now on.
    func noteInputLatencies(_ latencies: [InputLatency], at rate: SampleRate) {
        var known: [InputIndex: ClipLatency] = [:]
        for latency in latencies {
            guard let output = latency.outputDevice, let input = latency.inputDevice else { continue }
            known[latency.input] = ClipLatency(
                frames: latency.frames, correction: latency.correction, output: output, input: input,
                sampleRate: rate.hertz)
        }
        inputLatencies.withLock { $0 = known }
    }
}
