import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Tracks and buses, written apart.
@Suite("Tracks and buses of a render", .fewAtATime)
struct SeparateFileTests {
    static let session = """
        {"barline": 1, "launchQuantization": "1/4", "master": {"gain": -3},
         "tracks": [
          {"id": "drums", "gain": -2, "pan": 0.3, "clips": [{"id": "a", "file": "a.wav", "beats": 3}]},
          {"id": "bass", "gain": 1, "clips": [{"id": "b", "file": "b.wav", "beats": 4, "gain": -1}]},
          {"id": "cue", "output": "phones", "clips": [{"id": "c", "file": "a.wav", "beats": 2}]},
          {"id": "idle"}]}
        """
    static let script = """
        {"at": 0, "do": "launch", "clip": "a"}
        {"at": 0, "do": "launch", "clip": "b"}
        {"at": 0, "do": "launch", "clip": "c"}
        {"at": 1.1, "do": "tempo", "bpm": 97, "ramp": 2}
        {"at": 1.4, "do": "mute", "track": "drums", "on": true}
        {"at": 1.6, "do": "mute", "track": "drums", "on": false}
        {"at": 2.0, "do": "gain", "db": -9}
        {"at": 2.2, "do": "gain", "track": "bass", "db": null}
        {"at": 2.5, "do": "stopNow", "track": "drums"}
        """

    private func rendered() async throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(40_000, seed: 1))
        try folder.folder.write("b.wav", Sound.tone(50_000, cycles: 99))
        _ = try await folder.render(
            SeparateFileTests.session, script: SeparateFileTests.script, frames: 144_000, stems: "stems")
        return folder
    }

    private func contents(_ folder: SessionFolder, _ name: String) throws -> WaveContents {
        try WaveContents(path: folder.folder.path(name))
    }

    @Test("There is a file for every track and every bus, all as long as the mix")
    func files() async throws {
        let folder = try await rendered()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path("stems")).sorted()
        #expect(
            names == [
                "bus-main.wav", "bus-phones.wav", "track-bass.wav", "track-cue.wav", "track-drums.wav",
                "track-idle.wav",
            ])
        for name in names { #expect(try contents(folder, "stems/\(name)").frameCount == 144_000) }
    }

    @Test("The tracks of a bus add up to the bus")
    func nullTest() async throws {
        let folder = try await rendered()
        let mix = try contents(folder, "mix.wav")
        let drums = try contents(folder, "stems/track-drums.wav")
        let bass = try contents(folder, "stems/track-bass.wav")
        let phones = try contents(folder, "stems/bus-phones.wav")
        let cue = try contents(folder, "stems/track-cue.wav")
        #expect(try contents(folder, "stems/bus-main.wav").channels == mix.channels)
        for channel in 0..<2 {
            var worst: Float = 0
            var loudest: Float = 0
            for frame in 0..<mix.frameCount {
                let sum = drums.channels[channel][frame] + bass.channels[channel][frame]
                worst = max(worst, abs(sum - mix.channels[channel][frame]))
                worst = max(worst, abs(cue.channels[channel][frame] - phones.channels[channel][frame]))
                loudest = max(loudest, abs(mix.channels[channel][frame]))
            }
            #expect(loudest > 0.1)
            #expect(worst < 1e-6)
        }
    }

    @Test("A track that nothing was launched on is silent")
    func idle() async throws {
        let idle = try contents(try await rendered(), "stems/track-idle.wav")
        #expect(idle.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("Tracks whose names can't be distinguished in a file name have a file each")
    func collidingNames() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(48_000, seed: 1))
        let json = """
            {"barline": 1, "firstLaunch": "immediate",
             "tracks": [{"id": "x/y", "clips": [{"id": "a", "file": "a.wav", "beats": 2}]}, {"id": "x_y"}]}
            """
        _ = try await folder.render(
            json, script: #"{"at": 0, "do": "launch", "clip": "a"}"#, frames: 4800, stems: "stems")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path("stems")).sorted()
        #expect(names.count == 3)
        let loud = try names.filter { name in
            try contents(folder, "stems/\(name)").channels.contains { $0.contains { $0 != 0 } }
        }
        #expect(loud.count == 2)
    }
}
