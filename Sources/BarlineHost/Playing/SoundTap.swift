import BarlineAnalysis
import BarlineEngine
import BarlineSession
import BarlineTime
import Synchronization

/// Reads the engine's output tap: for the loudness meter, for a recording and for listeners.
final class SoundTap {
    private let session: LiveSession
    private let loudness: LoudnessReading
    private var meter: LoudnessMeter?
    private var sampleRate: SampleRate
    /// The frame at which the loudness was read last.
    private var shown = FrameTime.zero
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>

    private static let frames = 1 << 13
    /// How often the loudness is read, in seconds.
    private static let loudnessInterval = 0.1
    /// Blocks of sound that are read in one pass: more than the engine's tap holds where a clock paces the device.
    private static let blocksPerPass = 256

    init(_ session: LiveSession, loudness: LoudnessReading) {
        self.session = session
        self.loudness = loudness
        sampleRate = session.player.engine.configuration.sampleRate
        meter = SoundTap.meter(sampleRate)
        left = .allocate(capacity: SoundTap.frames)
        right = .allocate(capacity: SoundTap.frames)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Takes what has sounded before `state` was published, whose events are all known.
    ///
    /// - Returns: the sound, where it is wanted.
    func take(_ state: EngineState, isWanted: Bool) -> [HostSound] {
        let engine = session.player.engine
        if state.sampleRate != sampleRate {
            sampleRate = state.sampleRate
            meter = SoundTap.meter(sampleRate)
        }
        var pieces: [HostSound] = []
        // A device that no clock paces may provide sound faster than it is
        // measured: the rest has to wait for the next pass.
        for _ in 0..<SoundTap.blocksPerPass {
            let room = Int(clamping: state.frame - engine.tapFrame)
            let count = engine.readTap(left: left, right: right, frames: max(0, min(SoundTap.frames, room)))
            if count == 0 { break }
            let frame = engine.tapFrame + -Int64(count)
            meter?.add(left: left, right: right, frames: count)
            let sampleRate = sampleRate
            let (left, right) = (
                UnsafeBufferPointer(start: left, count: count), UnsafeBufferPointer(start: right, count: count)
            )
            session.takeAudio(frames: count, frame: frame) { (Array(left), Array(right)) }
            if isWanted {
                pieces.append(
                    HostSound(left: Array(left), right: Array(right), frame: frame, sampleRate: sampleRate))
            }
        }
        // Read less often than sound is taken: it is that of whole steps of 100 ms.
        if let meter,
            state.frame - shown >= sampleRate.frames(seconds: SoundTap.loudnessInterval) || state.frame < shown
        {
            shown = state.frame
            loudness.value = meter.shortTerm
        }
        return pieces
    }

    /// A meter of what is shown: neither the loudness of it all nor true peaks are.
    private static func meter(_ sampleRate: SampleRate) -> LoudnessMeter? {
        LoudnessMeter(sampleRate: sampleRate, measuresIntegrated: false, measuresTruePeak: false)
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
