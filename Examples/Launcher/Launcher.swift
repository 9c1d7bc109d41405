// Loops on two tracks, launched on bar lines while the tempo moves.
//
//     swift run LauncherExample drums_120bpm.wav bass_90bpm.wav            # live
//     swift run LauncherExample --output take.wav drums_120bpm.wav bass_90bpm.wav

import Barline

@main
struct Launcher {
    static func main() async throws {
        var files = Array(CommandLine.arguments.dropFirst())
        var output = Stage.Output.live()
        if files.first == "--output", files.count > 1 {
            output = .file(files[1])
            files.removeFirst(2)
        }
        guard files.count == 2 else {
            print("usage: LauncherExample [--output FILE] LOOP LOOP")
            return
        }

        let stage = try Stage(output, EngineConfiguration(tempo: 120))
        let drums = try stage.load(files[0], on: 0)
        let bass = try stage.load(files[1], on: 1)
        stage.mixer[.track(1)].gain = -6

        // What happens is told with the frame on which it did.
        let observation = stage.events.observe { event in
            switch event.kind {
            case .launcher(.started(_, let track, let beat, _)):
                print("track \(track.rawValue + 1) starts on beat \(beat.rawValue), frame \(event.frame.rawValue)")
            case .launcher(.stopped(_, let track)):
                print("track \(track.rawValue + 1) stops, frame \(event.frame.rawValue)")
            default: break
            }
        }

        try stage.launcher.launch(drums)
        try await stage.run(seconds: 3)
        try stage.launcher.launch(bass)
        try await stage.run(seconds: 4)
        // Both follow, in phase.
        try stage.transport.setTempo(140, overBeats: 4)
        try await stage.run(seconds: 4)
        try stage.launcher.stopAll()
        try await stage.runToEnd()
        observation.cancel()
        try stage.stop()
    }
}
