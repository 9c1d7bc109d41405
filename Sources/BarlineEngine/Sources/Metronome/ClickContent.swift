import BarlineDSP
import BarlineTime

/// The click sounds, on the audio thread. They are immutable: a change creates a new value.
struct ClickContent: BitwiseCopyable, @unchecked Sendable {
    let accent: SourceRegion
    let beat: SourceRegion
    let sourceRate: Double
}

/// The owner of what a ``ClickContent`` points to, on the control side.
final class PreparedClicks: @unchecked Sendable {
    let content: UnsafePointer<ClickContent>
    private let accent: SampleBuffer
    private let beat: SampleBuffer

    /// Synthesises at `sampleRate`, so that an engine at that rate plays the samples unchanged.
    init(_ sounds: ClickSounds, sampleRate: SampleRate) {
        accent = PreparedClicks.samples(
            sounds.source, frequency: sounds.accentFrequency, level: sounds.accentLevel, sampleRate)
        beat = PreparedClicks.samples(
            sounds.source, frequency: sounds.beatFrequency, level: sounds.beatLevel, sampleRate)
        let storage = UnsafeMutablePointer<ClickContent>.allocate(capacity: 1)
        storage.initialize(
            to: ClickContent(
                accent: PreparedClicks.region(accent), beat: PreparedClicks.region(beat),
                sourceRate: accent.sampleRate.hertz))
        content = UnsafePointer(storage)
    }

    deinit { content.deallocate() }

    private static func samples(
        _ source: ClickSounds.Source, frequency: Double, level: Double, _ rate: SampleRate
    ) -> SampleBuffer {
        switch source {
        case .sine:
            SampleBuffer(
                left: ClickSynthesis.sine(frequency: frequency, level: level, sampleRate: rate), sampleRate: rate)
        case .woodblock:
            SampleBuffer(
                left: ClickSynthesis.woodblock(frequency: frequency, level: level, sampleRate: rate), sampleRate: rate)
        case .noise:
            SampleBuffer(
                left: ClickSynthesis.noise(frequency: frequency, level: level, sampleRate: rate), sampleRate: rate)
        case .samples(let buffer): faded(buffer, level: level)
        }
    }

    /// A recording at `level`, whose last 5 ms fade to zero, because it may have been cut off.
    private static func faded(_ buffer: SampleBuffer, level: Double) -> SampleBuffer {
        let rate = buffer.sampleRate
        let length = rate.seconds(frames: Int64(buffer.frameCount))
        func scaled(_ channel: UnsafePointer<Float>) -> [Float] {
            (0..<buffer.frameCount).map { frame in
                let fade = ClickSynthesis.fade(at: rate.seconds(frames: Int64(frame)), length: length)
                return channel[frame] * Float(level * fade)
            }
        }
        return SampleBuffer(
            left: scaled(buffer.left), right: buffer.channelCount == 2 ? scaled(buffer.right) : nil, sampleRate: rate)
    }

    private static func region(_ buffer: SampleBuffer) -> SourceRegion {
        SourceRegion(
            left: buffer.left, right: buffer.right, length: buffer.frameCount, framesBefore: 0, framesAfter: 0,
            loops: false, seamLeft: buffer.left, seamRight: buffer.left, seamLength: 0)
    }
}
