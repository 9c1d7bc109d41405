import BarlineEngine
import BarlineTime

/// Something a performer does.
enum Step: CustomStringConvertible {
    case launch(Int)
    case release(Int)
    case scene([Int], stopping: [Int], tempo: Double?)
    case stop(Int)
    case stopNow(Int)
    case stopAll
    case stopAllNow
    case tempo(Double, ramp: Double)
    case metre(Metre)
    case grid(Grid)
    case tolerance(Double)
    case startTransport
    case stopTransport

    var description: String {
        switch self {
        case .launch(let clip): "launch \(clip)"
        case .release(let clip): "release \(clip)"
        case .scene(let clips, let stopping, let tempo): "scene \(clips), stops \(stopping), tempo \(tempo ?? 0)"
        case .stop(let track): "stop \(track)"
        case .stopNow(let track): "stop \(track) now"
        case .stopAll: "stop all"
        case .stopAllNow: "stop all now"
        case .tempo(let tempo, let ramp): "tempo \(tempo) over \(ramp) beats"
        case .metre(let metre): "metre \(metre)"
        case .grid(let grid): "quantise to \(grid)"
        case .tolerance(let tolerance): "snap tolerance \(tolerance)"
        case .startTransport: "start the transport"
        case .stopTransport: "stop the transport"
        }
    }

    /// Asks `engine` for it.
    func send(to engine: Engine, clips: [ClipHandle], at frame: Int?) throws {
        let frame = frame.map { FrameTime(Int64($0)) }
        switch self {
        case .launch(let clip): try engine.launcher.launch(clips[clip], at: frame)
        case .release(let clip): try engine.launcher.release(clips[clip], at: frame)
        case .scene(let row, let stopping, let tempo):
            try engine.launcher.launchScene(
                row.map { clips[$0] }, stopping: stopping.map { TrackIndex($0) },
                tempo: tempo.map { Tempo(clamping: $0) }, at: frame)
        case .stop(let track): try engine.launcher.stop(TrackIndex(track), at: frame)
        case .stopNow(let track): try engine.launcher.stopNow(TrackIndex(track), at: frame)
        case .stopAll: try engine.launcher.stopAll(at: frame)
        case .stopAllNow: try engine.launcher.stopAllNow(at: frame)
        case .tempo(let tempo, let ramp):
            try engine.transport.setTempo(Tempo(clamping: tempo), overBeats: ramp, at: frame)
        case .metre(let metre):
            try engine.transport.setTimeSignature(
                TimeSignature(metre.numerator, metre.denominator) ?? .common, at: frame)
        case .grid(let grid): try engine.launcher.setQuantization(grid.quantization, at: frame)
        case .tolerance(let tolerance): try engine.launcher.setSnapTolerance(tolerance, at: frame)
        case .startTransport: try engine.transport.start(at: frame)
        case .stopTransport: try engine.transport.stop(at: frame)
        }
    }
}
