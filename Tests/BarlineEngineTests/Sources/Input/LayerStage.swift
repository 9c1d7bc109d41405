import BarlineTime
import Testing

@testable import BarlineEngine

/// A loop of a bar that was recorded from an input, and what is recorded over it: the engine, and a model of arrays.
struct LayerStage {
    static let bar = TakeStage.bar
    static let seam = 240

    let engine: Engine
    let clip: ClipHandle
    let input: [[Float]]
    let latency: Int
    let recorder: Recorder

    /// The loop is recorded in the bar that begins with frame 48,000, and plays from the next one on.
    init(
        bars: Int, input: [[Float]], latency: Int = 0, quantization: Quantization? = nil,
        clipCapacity: Int = 64, _ act: (Engine, ClipHandle) throws -> Void
    ) throws {
        engine = try TakeStage.engine(clipCapacity: clipCapacity, latency: latency)
        var settings = TakeSettings(track: 0, input: InputIndex(0), bars: 1)
        settings.quantization = quantization
        clip = try engine.launcher.arm(settings)
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar)))
        for _ in 0..<12 { try engine.launcher.prepareLayers(of: clip) }
        try act(engine, clip)
        (self.input, self.latency) = (input, latency)
        recorder = Recorder(engine, frames: bars * Self.bar)
        recorder.give(input)
    }

    /// Renders in pieces, as a session does that lends memory for further layers in between.
    func render(_ frames: Int, _ plan: BlockPlan) throws {
        let piece = Self.bar / 4
        for _ in 0..<frames / piece {
            recorder.render(piece, plan)
            try engine.launcher.prepareLayers(of: clip)
        }
    }

    /// What the input gave that belongs at a frame.
    func given(_ channel: Int, _ frame: Int) -> Float {
        let place = frame + latency
        return input[channel].indices.contains(place) ? input[channel][place] : 0
    }
}

/// What a loop has in each of its layers, by arrays: both channels, in the loop's own phase.
struct LayerModel {
    typealias Loop = [[Float]]

    private let stage: LayerStage
    private let length: Int
    /// The frame at which the loop is at its first frame.
    private let origin: Int
    private(set) var layers: [Loop]
    private(set) var undone: [Loop] = []

    init(_ stage: LayerStage, length: Int = LayerStage.bar, origin: Int = 2 * LayerStage.bar) {
        (self.stage, self.length, self.origin) = (stage, length, origin)
        layers = []
        let silence = Loop(repeating: [Float](repeating: 0, count: length), count: 2)
        layers = [recorded(over: silence, feedback: 0, from: origin - length, frames: length)]
    }

    var current: Loop { layers[layers.count - 1] }

    /// What is played at a frame.
    func played(_ frame: Int) -> [Float] { current.map { $0[place(frame)] } }

    private func place(_ frame: Int) -> Int { ((frame - origin) % length + length) % length }

    /// A layer over `baseLayer`, of whose cycle from frame `start` on `frames` frames are recorded over.
    private func recorded(over baseLayer: Loop, feedback: Float, from start: Int, frames: Int) -> Loop {
        var mixed = Loop(repeating: [], count: 2)
        var lead = Loop(repeating: [], count: 2)
        for channel in 0..<2 {
            mixed[channel] = (0..<length).map { index in
                let below = baseLayer[channel][place(start + index)]
                if index < frames { return stage.given(channel, start + index) + feedback * below }
                if index >= frames + LayerStage.seam { return below }
                let weight = Float(index - frames + 1) / Float(LayerStage.seam)
                let own = stage.given(channel, start + index) * (1 - weight)
                return own + (feedback + weight * (1 - feedback)) * below
            }
            lead[channel] = (0..<LayerStage.seam).map { index in
                let frame = start - LayerStage.seam + index
                return stage.given(channel, frame) + feedback * baseLayer[channel][place(frame)]
            }
        }
        let meets = (0..<2).allSatisfy { LayerModel.endsMatch(mixed[$0]) }
        var loop = baseLayer
        for channel in 0..<2 {
            for index in 0..<length {
                var sample = mixed[channel][index]
                let part = index - (length - LayerStage.seam)
                if part >= 0, !meets {
                    let weight = Float(part + 1) / Float(LayerStage.seam)
                    sample = sample + weight * (lead[channel][part] - sample)
                }
                loop[channel][place(start + index)] = sample
            }
        }
        return loop
    }

    /// Whether a loop's last frame leads to its first one, by the steps within 32 frames of them.
    static func endsMatch(_ loop: [Float]) -> Bool {
        var largest: Float = 0
        for offset in 1...32 {
            largest = max(largest, abs(loop[offset] - loop[offset - 1]))
            largest = max(largest, abs(loop[loop.count - offset] - loop[loop.count - 1 - offset]))
        }
        let step = abs(loop[0] - loop[loop.count - 1])
        return step <= 1e-4 || step <= 1.5 * largest
    }

    mutating func add(feedback: Float, from start: Int, frames: Int) {
        layers.append(recorded(over: current, feedback: feedback, from: start, frames: min(frames, length)))
        undone = []
    }

    mutating func undo() -> Bool {
        if layers.count < 2 { return false }
        undone.append(layers.removeLast())
        return true
    }

    mutating func redo() -> Bool {
        guard let layer = undone.popLast() else { return false }
        layers.append(layer)
        return true
    }
}
