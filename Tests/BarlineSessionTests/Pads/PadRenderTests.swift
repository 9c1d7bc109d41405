import BarlineEngine
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

/// Hits in scripts and recordings, against sums that the definition gives.
@Suite("Renders of pads", .fewAtATime)
struct PadRenderTests {
    private static let fade = 240

    /// What a hit adds to a channel, `frame` frames after it; it fades out from `leaving` on.
    private func sound(
        _ samples: [Float], at frame: Int, gain: Double, velocity: Double, sensitivity: Double = 1, leaving: Int? = nil
    ) -> Double {
        guard samples.indices.contains(frame) else { return 0 }
        var envelope = min(1, Double(samples.count - frame) / Double(PadRenderTests.fade))
        if let leaving, frame >= leaving {
            envelope = max(0, 1 - Double(frame - leaving) / Double(PadRenderTests.fade))
        }
        return Double(samples[frame]) * gain * pow(1 - sensitivity * (1 - velocity), 2) * envelope
    }

    private static let script = """
        {"do": "hit", "pad": "open", "velocity": 0.5, "frame": 1000}
        {"do": "hit", "pad": "closed", "frame": 5001}
        {"do": "transport", "action": "play", "frame": 10000}
        {"do": "hit", "pad": "kick", "velocity": 0.25, "frame": 12000}
        {"do": "hit", "pad": "open", "quantization": "1/8", "frame": 14000}
        {"do": "choke", "pad": "open", "frame": 30000}
        {"do": "hit", "pad": "kick", "quantization": "none", "frame": 40003}
        {"do": "choke", "frame": 41000}
        """

    private static let document = """
        {"barline": 1, "pads": [
          {"id": "open", "file": "open.wav", "choke": 1},
          {"id": "closed", "file": "closed.wav", "choke": 1, "gain": -6, "pan": -0.5},
          {"id": "kick", "file": "kick.wav", "quantization": "1/4", "sensitivity": 0.5}]}
        """

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("open.wav", Sound.noise(20_000, seed: 4))
        try folder.folder.write("closed.wav", Sound.noise(3_000, seed: 5))
        try folder.folder.write("kick.wav", Sound.noise(9_000, seed: 6))
        return folder
    }

    @Test("Hits sound on their frames, by their velocities, choke each other, and wait for the grid")
    func model() async throws {
        let folder = try folder()
        let files = try ["open", "closed", "kick"].map {
            try WaveContents(path: folder.folder.path("\($0).wav")).channels[0]
        }
        let mix = try await folder.render(
            PadRenderTests.document, script: PadRenderTests.script, frames: 60_000, events: "events", stems: "stems")
        let quiet = pow(10, -6.0 / 20)
        // At 120 BPM from frame 10,000 a quarter takes 24,000 frames, an eighth 12,000.
        func expected(_ frame: Int, closed: Double) -> Double {
            sound(files[0], at: frame - 1_000, gain: 1, velocity: 0.5, leaving: 4_001)
                + sound(files[1], at: frame - 5_001, gain: closed, velocity: 1)
                + sound(files[0], at: frame - 22_000, gain: 1, velocity: 1, leaving: 8_000)
                + sound(files[2], at: frame - 34_000, gain: 1, velocity: 0.25, sensitivity: 0.5, leaving: 7_000)
                + sound(files[2], at: frame - 40_003, gain: 1, velocity: 1, sensitivity: 0.5, leaving: 997)
        }
        let wrong = (0..<60_000).first { frame in
            abs(Double(mix.channels[0][frame]) - expected(frame, closed: quiet)) > 1e-5
                || abs(Double(mix.channels[1][frame]) - expected(frame, closed: quiet * 0.5)) > 1e-5
        }
        #expect(wrong == nil)
        let hits = try JSONLines.events(try folder.folder.text("events"), of: "padHit")
        #expect(hits.compactMap { $0.number("frame") } == [1_000, 5_001, 22_000, 34_000, 40_003])
        #expect(hits.compactMap { $0.text("pad") } == ["open", "closed", "open", "kick", "kick"])
        #expect(hits.compactMap { $0.number("velocity") } == [0.5, 1, 1, 0.25, 1])
        #expect(try WaveContents(path: folder.folder.path("stems/pads.wav")).channels == mix.channels)
    }

    @Test("Files are the same to the byte, whatever the block size", arguments: [1, 64, 333, 8_192])
    func blockSizes(blockFrames: Int) async throws {
        let folder = try folder()
        for (index, frames) in [1_024, blockFrames].enumerated() {
            _ = try await folder.render(
                PadRenderTests.document, script: PadRenderTests.script, frames: 60_000, blockFrames: frames,
                events: "events\(index)", name: "mix\(index).wav")
        }
        #expect(try folder.folder.bytes("mix0.wav") == folder.folder.bytes("mix1.wav"))
        #expect(try folder.folder.bytes("events0") == folder.folder.bytes("events1"))
    }

    @Test("A recording of hits, late ones among them, and of edits sounds like what was heard, at any block size")
    func recording() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addPad", "file": "a.wav", "set": {"choke": 2}}"#)
        try await stage.act(
            #"{"do": "addPad", "file": "b.wav", "set": {"choke": 2, "quantization": "1/8", "gain": -3}}"#)
        try await stage.act(#"{"do": "addPad", "file": "c.wav", "set": {"pitch": 7, "sensitivity": 0.5}}"#)
        try await stage.act(#"{"do": "hit", "pad": "a"}"#)
        stage.play(9_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(1_000)
        try await stage.act(#"{"do": "hit", "pad": "b", "velocity": 0.75}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(7_000)
        for index in 0..<20 {
            let now = stage.session.player.engine.state.frame
            let pad = ["a", "b", "c"][index % 3]
            _ = try stage.session.perform(
                .pads(.hit(pad: pad, velocity: Double(index) / 20, quantization: nil)),
                at: .frame(FrameTime(now.rawValue + Int64(40 * (index % 5) - 80))), source: "MIDI")
            stage.play(900)
            if index == 7 {
                try await stage.act(#"{"do": "editPad", "pad": "c", "set": {"pan": -0.5, "sensitivity": 1}}"#)
            }
            if index == 11 { try await stage.act(#"{"do": "gain", "strip": "pads", "db": -4}"#) }
            if index == 13 { try await stage.act(#"{"do": "addEffect", "strip": "pads", "type": "filter"}"#) }
        }
        try await stage.act(#"{"do": "choke", "pad": "c"}"#)
        try await stage.act(#"{"do": "removePad", "pad": "b"}"#)
        stage.play(9_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (heard, rendered, script) = try await stage.take()
        #expect(heard.channels[0].contains { abs($0) > 0.05 })
        #expect((rendered.channels == heard.channels) as Bool)
        #expect(script.entries.contains { $0.late > 0 })
        let blocks = try await stage.render(script, blockFrames: 333)
        #expect((blocks.channels == rendered.channels) as Bool)
    }

    @Test("A recording that begins when a pad has faded out knows nothing of it; one before has it")
    func rest() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "addPad", "file": "b.wav"}"#)
        try await stage.act(#"{"do": "hit", "pad": "b"}"#)
        stage.play(60_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(1_000)
        try await stage.act(#"{"do": "hit", "pad": "b"}"#)
        stage.play(2_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (heard, rendered, script) = try await stage.take()
        #expect(script.entries.count == 1 && rendered.channels == heard.channels)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(3_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        let second = try await stage.take()
        #expect(
            second.heard.channels[0].contains { abs($0) > 0.01 } && second.rendered.channels == second.heard.channels)
    }

    @Test("At another sample rate a pad plays at its own pitch")
    func sampleRates() async throws {
        let folder = try folder()
        let tone = (0..<24_000).map { 0.5 * sin(2 * .pi * 500 * Double($0) / 24_000) }
        try folder.folder.write("tone.wav", WaveFile(tone, sampleRate: 24_000).bytes)
        let mix = try await folder.render(
            #"{"barline": 1, "pads": [{"id": "p", "file": "tone.wav"}]}"#,
            script: #"{"do": "hit", "pad": "p", "frame": 0}"#,
            frames: 40_000, sampleRate: 44_100)
        let heard = mix.channels[0][1_000..<40_000]
        let crossings = zip(heard, heard.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        let cycles = 39_000.0 * 500 / 44_100
        #expect(abs(Double(crossings) - cycles) <= 1)
    }
}
