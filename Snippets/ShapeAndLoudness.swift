// A file's shape in 40 bars, and its loudness.

import BarlineAnalysis
import BarlineFiles

let clip = try await AudioClipLoader().load(CommandLine.arguments[1])
for point in Waveform(of: clip.samples, count: 40).points {
    print(String(repeating: "▮", count: Int(point.rms * 60)))
}
if let meter = LoudnessMeter(sampleRate: clip.samples.sampleRate) {
    meter.add(left: clip.samples.left, right: clip.samples.right, frames: clip.samples.frameCount)
    print(meter.integrated, "LUFS")
}
