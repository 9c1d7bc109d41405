import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// How a clip's length in beats is found.
@Suite("Tempo of clips", .fewAtATime)
struct ClipTempoTests {
    /// The settings that a clip gets whose file is a second long, and what the user is told.
    private func settings(_ name: String, _ file: [UInt8], _ more: String = "") async throws -> (ClipSettings, [String])
    {
        let folder = try SessionFolder()
        try folder.folder.write(name, file)
        let player = try await folder.player(
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "\#(name)"\#(more)}]}]}"#)
        let handle = try #require(player.clips["a"]?.handle)
        return (try #require(player.engine.launcher.settings(of: handle)), player.warnings)
    }

    private static let second = Sound.tone(48_000, cycles: 100)

    /// An `acid` chunk: 4 beats at 240 BPM.
    private static let acid = Bytes.chunk(
        "acid",
        Bytes.little(0, 4) + Bytes.little(60, 2) + Bytes.little(0x8000, 2) + Bytes.little(0, 4) + Bytes.little(4, 4)
            + Bytes.little(4, 2) + Bytes.little(4, 2) + Bytes.little(Int(Float(240).bitPattern), 4))

    @Test("The session's number of beats counts most")
    func beats() async throws {
        var file = WaveFile([Double](repeating: 0.1, count: 48_000))
        file.chunks = ClipTempoTests.acid
        let (settings, warnings) = try await settings("a 97bpm.wav", file.bytes, #", "beats": 3, "bpm": 77"#)
        #expect(settings.beats == 3)
        #expect(warnings.isEmpty)
    }

    @Test("Then the session's tempo, over the region that is played")
    func tempo() async throws {
        let (settings, _) = try await settings("a 97bpm.wav", ClipTempoTests.second, #", "bpm": 150, "end": 24000"#)
        #expect(settings.beats == 1.25)
    }

    @Test("Then the file's own number of beats")
    func acid() async throws {
        var file = WaveFile([Double](repeating: 0.1, count: 48_000))
        file.chunks = ClipTempoTests.acid
        let (settings, warnings) = try await settings("a 97bpm.wav", file.bytes)
        #expect(settings.beats == 4)
        #expect(warnings.isEmpty)
    }

    @Test("A part of the file has its part of the beats")
    func part() async throws {
        var file = WaveFile([Double](repeating: 0.1, count: 48_000))
        file.chunks = ClipTempoTests.acid
        let (settings, _) = try await settings("a.wav", file.bytes, #", "start": 12000, "end": 36000"#)
        #expect(settings.beats == 2)
    }

    @Test("Then the tempo in its name, to a whole number of beats where it is near one")
    func name() async throws {
        let (near, _) = try await settings("loop_119bpm.wav", ClipTempoTests.second)
        #expect(near.beats == 2)
        let (far, _) = try await settings("loop_90bpm.wav", ClipTempoTests.second)
        #expect(far.beats == 1.5)
    }

    @Test("Where nobody knows, it plays at its own rate and the user is told")
    func unknown() async throws {
        let (settings, warnings) = try await settings("a.wav", ClipTempoTests.second)
        #expect(settings.beats == nil)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("set.barline: tracks[0].clips[0]: ") == true)
    }

    @Test("A clip that is not to follow the tempo needs none")
    func original() async throws {
        let (settings, warnings) = try await settings("a.wav", ClipTempoTests.second, #", "playback": "original""#)
        #expect(settings.beats == nil && settings.playback == .original)
        #expect(warnings.isEmpty)
    }

    @Test("What the session and the file don't say is heard: a loop's number of beats")
    func heard() async throws {
        // Eight beats of kicks with a hi-hat between them, at 125 BPM.
        let beat = 23_040
        let samples = (0..<8 * beat).map { frame -> Double in
            let time = Double(frame % beat) / 48_000
            let between = Double((frame + beat / 2) % beat) / 48_000
            return 0.6 * exp(-time * 30) * sin(2 * .pi * 60 * time)
                + 0.2 * exp(-between * 120) * sin(2 * .pi * 7000 * between)
        }
        let (settings, warnings) = try await settings("a.wav", WaveFile(samples).bytes)
        #expect(settings.beats == 8)
        #expect(warnings.isEmpty)
    }
}
