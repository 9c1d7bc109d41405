// Stems in step: faders that read back, a mute, a seek.
//
//     swift run MultitrackExample drums.wav bass.wav vocals.wav
//     swift run MultitrackExample --output mix.wav drums.wav bass.wav vocals.wav

import Barline

@main
struct MultitrackProgram {
    static func main() async throws {
        var files = Array(CommandLine.arguments.dropFirst())
        var output = Stage.Output.live()
        if files.first == "--output", files.count > 1 {
            output = .file(files[1])
            files.removeFirst(2)
        }
        guard !files.isEmpty else {
            print("usage: MultitrackExample [--output FILE] STEM …")
            return
        }

        let stage = try Stage(output)
        let stems = try stage.loadStems(files)
        print("\(stems.stems.count) stems of \(stems.duration) s")
        for index in stems.stems.indices {
            let strip = stage.mixer[.stem(StemIndex(index))]
            strip.gain = Decibels(Double(-3 * index))
            print("stem \(index + 1): \(strip.gain.rawValue) dB")
        }

        stems.play()
        try await stage.run(seconds: 0.5)
        stage.mixer[.stem(0)].isMuted = true
        try await stage.run(seconds: 0.5)
        stage.mixer[.stem(0)].isMuted = false
        stems.seek(to: stems.duration / 2)
        try await stage.runToEnd()
        try stage.stop()
    }
}
