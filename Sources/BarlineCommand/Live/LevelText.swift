import BarlineDSP
import BarlineEngine
import Foundation

/// The outputs' lights, as text.
enum LevelText {
    /// How far outputs are held down, and whether one was over full scale; nothing where neither is so.
    static func lights(_ state: EngineState) -> String {
        var lights: [String] = []
        let gain = state.limiters.map(\.gain).min() ?? 1
        let reduction = Decibels(amplitude: Double(gain)).rawValue
        if reduction < -0.05 { lights.append(String(format: "%.1f dB", max(-99, reduction))) }
        if state.limiters.contains(where: { $0.overCount > 0 }) { lights.append(Style.warning("OVER")) }
        return lights.joined(separator: " ")
    }

    /// What outputs without a limiter have cut off, a line for each.
    static func losses(_ state: EngineState, outputs: [String]) -> [String] {
        zip(outputs, state.limiters).filter { $1.overCount > 0 }.map { name, limiter in
            let peak = String(format: "%+.1f dBFS", Decibels(amplitude: Double(limiter.peak)).rawValue)
            let count = limiter.overCount == 1 ? "1 sample was" : "\(limiter.overCount) samples were"
            return "output \"\(name)\": \(count) over full scale, the highest at \(peak), and the limiter was off"
        }
    }
}
