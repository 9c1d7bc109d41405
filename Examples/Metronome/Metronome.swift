// A practice click: two bars of count-in, 7/8 in groups of 2, 2 and 3, faster by 10 BPM every four bars.
//
//     swift run MetronomeExample
//     swift run MetronomeExample --output practice.wav

import Barline

@main
struct Metronome {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let output: Stage.Output =
            if arguments.count == 3, arguments[1] == "--output" { .file(arguments[2]) } else { .live() }

        let stage = try Stage(output, EngineConfiguration(tempo: 150, timeSignature: "7/8"))
        stage.metronome.settings = MetronomeSettings(isEnabled: true, pattern: "X.x.x..", countInBars: 2)

        let observation = stage.events.observe { event in
            guard case .metronome(.pulse(let bar, let pulse, let isAccented)) = event.kind, pulse == 1 || isAccented
            else { return }
            print("bar \(bar), pulse \(pulse): frame \(event.frame.rawValue)")
        }
        // Each waits for its bar line, to the frame.
        try stage.transport.setTempo(160, at: Bar(5))
        try stage.transport.setTempo(170, at: Bar(9))
        try stage.transport.stop(at: Bar(13))
        try stage.transport.start()
        try await stage.run(until: Bar(13))
        // The last click rings.
        try await stage.run(seconds: 0.5)
        observation.cancel()
        try stage.stop()
    }
}
