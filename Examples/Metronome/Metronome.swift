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

        let metre = TimeSignature(7, 8) ?? .common
        let stage = try Stage(output, EngineConfiguration(tempo: 150, timeSignature: metre))
        stage.metronome.settings = MetronomeSettings(
            isEnabled: true, pattern: AccentPattern("X.x.x..") ?? .downbeat, countInBars: 2)

        let observation = stage.events.observe { event in
            guard case .metronome(.pulse(let bar, let pulse, let isAccented)) = event.kind, pulse == 1 || isAccented
            else { return }
            print("bar \(bar), pulse \(pulse): frame \(event.frame.rawValue)")
        }
        try stage.transport.start()
        while stage.transport.tempo < 170 {
            let next = stage.transport.bar > 0 ? stage.transport.bar + 4 : 5
            while stage.transport.bar < next { try await stage.run(seconds: 0.01) }
            stage.transport.tempo = Tempo(clamping: stage.transport.tempo.beatsPerMinute + 10)
        }
        try await stage.run(seconds: 2)
        try stage.transport.stop()
        try await stage.run(seconds: 0.5)
        observation.cancel()
        try stage.stop()
    }
}
