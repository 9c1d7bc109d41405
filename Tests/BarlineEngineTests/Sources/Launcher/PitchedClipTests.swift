import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The sound of clips whose pitch is kept, which is computed once.
@Suite("Sounds at another pitch")
struct PitchedClipTests {
    private let buffer = SampleBuffer(
        left: (0..<20_000).map { Float(($0 * 7_919) % 1_000) / 2_000 - 0.25 }, sampleRate: .standard)

    private func settings(transposition: Double, gain: Double = 0) -> ClipSettings {
        var settings = ClipSettings(track: 0, beats: 1)
        settings.playback = .stretch
        settings.transposition = transposition
        settings.gain = Decibels(gain)
        return settings
    }

    private func prepared(_ settings: ClipSettings, at rate: Double = 48_000) -> PreparedClip {
        PreparedClip(buffer: buffer, settings: settings, sampleRate: SampleRate(rate) ?? .standard)
    }

    /// The address of the samples that a clip plays.
    private func address(_ clip: PreparedClip) -> UnsafePointer<Float> {
        withExtendedLifetime(clip) { clip.content.pointee.region.left }
    }

    @Test("Clips that differ in other things share one sound; another pitch, rate or recording has its own")
    func sharing() {
        let first = prepared(settings(transposition: 3))
        let sound = address(first)
        #expect(sound != buffer.left)
        #expect(address(prepared(settings(transposition: 3, gain: -6))) == sound)
        #expect(address(prepared(settings(transposition: 4))) != sound)
        #expect(address(prepared(settings(transposition: 3), at: 44_100)) != sound)
        var formants = settings(transposition: 3)
        formants.stretch.formants = 1
        #expect(address(prepared(formants)) != sound)
        let copy = SampleBuffer(left: buffer.samples(of: 0), sampleRate: .standard)
        let other = PreparedClip(buffer: copy, settings: settings(transposition: 3), sampleRate: .standard)
        #expect(address(other) != sound)
        withExtendedLifetime(first) {}
    }

    @Test("A sound that was computed ahead is there while it is kept")
    func ahead() throws {
        let engine = Engine()
        let own = settings(transposition: -5)
        let sound = try #require(engine.launcher.computeSound(of: buffer, settings: own))
        let before = address(prepared(own))
        // They would be given its memory, if that was free.
        let others = [-4.0, -6].map { prepared(settings(transposition: $0)) }
        #expect(address(prepared(own)) == before)
        withExtendedLifetime((sound, others)) {}
        #expect(engine.launcher.computeSound(of: buffer, settings: ClipSettings(track: 0, beats: 1)) == nil)
    }
}
