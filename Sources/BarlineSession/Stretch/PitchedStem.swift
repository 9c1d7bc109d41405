import BarlineDSP
import BarlineEngine
import BarlineTime

/// A stem at the pitch that is to be heard and at the engine's rate, whose time is left to voices that stretch.
///
/// Its frame `n` is the file's frame `(n + shift) · scale`.
struct PitchedStem: StemSource {
    let source: any StemSource
    /// Frames of the file to a frame.
    let scale: Double
    /// Less than a frame, by which position 0 lies on one.
    let shift: Double
    var quality = VarispeedQuality.live

    var sampleRate: SampleRate { SampleRate(unchecked: source.sampleRate.hertz / scale) }
    var frameCount: Int64 { PitchedStem.frames(of: source.frameCount, scale: scale, shift: shift) }

    func open() throws -> sending any StemReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StemReader {
        Reader(try source.open(while: isWanted), scale: scale, shift: shift, quality: quality)
    }

    private static func frames(of count: Int64, scale: Double, shift: Double) -> Int64 {
        max(0, Int64((Double(count) / scale - shift).rounded(.up)))
    }

    /// One reading of it.
    private final class Reader: StemReader {
        private let source: any StemReader
        private let scale: Double
        private let shift: Double
        private let step: SourcePosition
        private let reader: VarispeedReader
        private var sound = FrameWindow()
        /// How many frames the source has, once its end was read.
        private var length: Int64?
        private var next: Int64 = 0

        private static let readFrames = 8_192

        init(_ source: any StemReader, scale: Double, shift: Double, quality: VarispeedQuality) {
            reader = VarispeedReader(quality: quality)
            self.source = source
            self.scale = scale
            self.shift = shift
            step = SourcePosition(scale)
        }

        private var span: Int64 { Int64(VarispeedKernel.largestSpan) }

        private func position(_ frame: Int64) -> SourcePosition {
            SourcePosition(shift * scale).advanced(by: step, times: frame)
        }

        func seek(to frame: Int64) throws {
            next = frame
            length = nil
            let first = max(0, position(frame).whole - span)
            sound.restart(at: first)
            try source.seek(to: first)
        }

        func read(
            left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
        ) throws -> Int {
            let end = position(next + Int64(count)).whole + span
            while length == nil, sound.end < end {
                let found = try sound.append(Reader.readFrames) {
                    try source.read(left: $0, right: $1, count: Reader.readFrames)
                }
                if found == 0 { length = sound.end }
            }
            var frames = count
            if let length {
                frames = Int(min(Int64(count), PitchedStem.frames(of: length, scale: scale, shift: shift) - next))
            }
            if frames <= 0 { return 0 }
            let place = position(next)
            sound.withRegion { region, first in
                reader.read(
                    region, from: SourcePosition(rawValue: place.rawValue &- Int128(first) << 64), step: step,
                    filter: reader.steadyFilter(rate: scale), count: frames, left: left, right: right)
            }
            next += Int64(frames)
            sound.drop(before: position(next).whole - span)
            return frames
        }
    }
}
