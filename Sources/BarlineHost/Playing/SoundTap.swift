import BarlineAnalysis
import BarlineEngine
import BarlineSession
import BarlineTime
import Synchronization

/// Takes what has sounded from the engine: for the loudness meter, a recording and those who listen.
final class SoundTap {
    private let session: LiveSession
    private let loudness: LoudnessReading
    private var meter: LoudnessMeter?
    private var sampleRate: SampleRate
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>

    private static let frames = 1 << 16
    /// Pieces of sound that are taken in one turn: more than the engine's tap holds where a clock paces the device.
    private static let piecesInTurn = 32

    init(_ session: LiveSession, loudness: LoudnessReading) {
        self.session = session
        self.loudness = loudness
        sampleRate = session.player.engine.configuration.sampleRate
        meter = LoudnessMeter(sampleRate: sampleRate)
        left = .allocate(capacity: SoundTap.frames)
        right = .allocate(capacity: SoundTap.frames)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Takes what has sounded before `state` was published, whose events are all known.
    func take(_ state: EngineState) -> [HostSound] {
        let engine = session.player.engine
        if state.sampleRate != sampleRate {
            sampleRate = state.sampleRate
            meter = LoudnessMeter(sampleRate: sampleRate)
        }
        var pieces: [HostSound] = []
        // A device that no clock paces may give sound faster than it is measured: the rest has to wait for its turn.
        for _ in 0..<SoundTap.piecesInTurn {
            let room = Int(clamping: state.frame - engine.tapFrame)
            let count = engine.readTap(left: left, right: right, frames: max(0, min(SoundTap.frames, room)))
            if count == 0 { break }
            let frame = engine.tapFrame + -Int64(count)
            meter?.add(left: left, right: right, frames: count)
            let piece = HostSound(
                left: Array(UnsafeBufferPointer(start: left, count: count)),
                right: Array(UnsafeBufferPointer(start: right, count: count)), frame: frame, sampleRate: sampleRate)
            session.takeAudio(left: piece.left, right: piece.right, frame: frame)
            pieces.append(piece)
        }
        if let meter { loudness.value = meter.shortTerm }
        return pieces
    }
}

/// The main output's loudness, for any thread.
final class LoudnessReading: Sendable {
    private let bits = Atomic<UInt64>((-Double.infinity).bitPattern)

    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }
}
