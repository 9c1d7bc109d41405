import BarlineEngine
import Foundation

/// The metronome of the specification, restated: every click of every bar is worked out from tempo and bars, and its
/// waveform from the closed form.
struct ReferenceMetronome {
    struct Click {
        var frame: Int
        var frequency: Double
        var level: Double
    }

    /// What is played from a frame on.
    struct Plan {
        var frame: Int
        var isOn = true
        var pattern = ""
        var subdivision = 1
        var swing = 0.5
    }

    let tempo: ReferenceTempo
    let bars: ReferenceBars
    let rate: Double

    /// The clicks before `end` of a transport that began to roll at beat `first`.
    func clicks(from first: Double = 0, before end: Int, _ plans: [Plan]) -> [Click] {
        var clicks: [Click] = []
        for (index, plan) in plans.enumerated() where plan.isOn {
            let until = index + 1 < plans.count ? min(end, plans[index + 1].frame) : end
            clicks += grid(from: first, before: until, plan).filter { $0.frame >= plan.frame }
        }
        return clicks.sorted { $0.frame < $1.frame }
    }

    private func grid(from first: Double, before end: Int, _ plan: Plan) -> [Click] {
        var clicks: [Click] = []
        var bar = Int((first / bars.metre(ofBar: 0).bar).rounded(.down))
        while tempo.frame(of: bars.line(bar)) < end {
            let metre = bars.metre(ofBar: max(0, bar))
            for pulse in 0..<metre.numerator {
                let letter = plan.pattern.isEmpty ? (pulse == 0 ? "X" : "x") : letter(pulse, plan.pattern)
                if letter == "." { continue }
                for part in 0..<plan.subdivision {
                    let beat = bars.line(bar) + (Double(pulse) + place(part, plan)) * metre.pulse
                    if beat < first - 1e-9 { continue }
                    let frame = tempo.frame(of: beat)
                    let isAccent = letter == "X" && part == 0
                    let level = isAccent ? 0.9 : part == 0 ? 0.6 : 0.3
                    if frame < end {
                        clicks.append(Click(frame: frame, frequency: isAccent ? 1200 : 800, level: level))
                    }
                }
            }
            bar += 1
        }
        return clicks
    }

    private func letter(_ pulse: Int, _ pattern: String) -> Character {
        Array(pattern)[pulse % pattern.count]
    }

    /// Straight clicks divide the pulse evenly; swing moves the second of each pair.
    private func place(_ part: Int, _ plan: Plan) -> Double {
        switch (plan.subdivision, part) {
        case (2, 1): plan.swing
        case (4, 1): plan.swing / 2
        case (4, 3): 0.5 + plan.swing / 2
        default: Double(part) / Double(plan.subdivision)
        }
    }

    /// What the clicks sound like together, over `length` frames.
    func sound(_ clicks: [Click], length: Int) -> [Double] {
        var sound = [Double](repeating: 0, count: length)
        for click in clicks {
            for frame in click.frame..<min(length, click.frame + Int(0.1 * rate)) {
                sound[frame] += ReferenceMetronome.sample(click, at: Double(frame - click.frame) / rate)
            }
        }
        return sound
    }

    /// `a · sin(2π f t) · exp(−30 t)` over 100 ms, the last 5 ms fading to zero.
    static func sample(_ click: Click, at time: Double) -> Double {
        if time < 0 || time >= 0.1 { return 0 }
        return click.level * sin(2 * .pi * click.frequency * time) * exp(-30 * time) * min(1, (0.1 - time) / 0.005)
    }
}
