import BarlineDSP
import BarlineEngine
import BarlineTime

/// Reads a song with its formants moved, from what reads it as it is: every frame is a function of its number, whatever
/// is read at a time and wherever reading began.
final class FormantReader: StreamReader {
    private let source: any StreamReader
    private let shift: FormantShift
    private let size: Int
    private let hop: Int64
    /// What was read.
    private var sound = FrameWindow()
    /// How many frames the source has, once its end was read.
    private var length: Int64?
    /// The sums of the windows so far, from the first frame of the latest one on; the first hop of it is complete.
    private var left: [Float]
    private var right: [Float]
    /// The first frame of the latest window.
    private var window: Int64 = 0
    /// The frame that is put out next.
    private var next: Int64 = 0

    /// Frames of the source that are read at a time.
    private static let readFrames = 8_192

    /// - Parameters:
    ///   - source: what is read.
    ///   - ratio: by which frequencies of formants are multiplied.
    ///   - sampleRate: the source's.
    init(_ source: any StreamReader, ratio: Double, sampleRate: SampleRate) {
        self.source = source
        shift = FormantShift(ratio: ratio, sampleRate: sampleRate)
        size = shift.windowFrames
        hop = Int64(shift.hopFrames)
        left = Array(repeating: 0, count: size)
        right = left
        restart(at: 0)
    }

    func seek(to frame: Int64) throws {
        restart(at: frame)
        try source.seek(to: sound.first)
    }

    private func restart(at frame: Int64) {
        next = frame
        length = nil
        sound.restart(at: max(0, frame - Int64(size)))
        for index in left.indices { (left[index], right[index]) = (0, 0) }
        // Before the first window that reaches the frame.
        window = (frame / hop) * hop - Int64(size)
    }

    func read(
        left output: UnsafeMutablePointer<Float>, right outputRight: UnsafeMutablePointer<Float>, count: Int
    ) throws -> Int {
        try readSound(through: next + Int64(count) + Int64(size))
        var frames = count
        if let length { frames = Int(clamping: max(0, min(Int64(count), length - next))) }
        for index in 0..<frames {
            while next >= window + hop { addWindow() }
            let place = Int(next - window)
            output[index] = left[place]
            outputRight[index] = right[place]
            next += 1
        }
        sound.drop(before: window)
        return frames
    }

    /// Goes on to the next window.
    private func addWindow() {
        window += hop
        let kept = size - Int(hop)
        for index in 0..<size {
            left[index] = index < kept ? left[index + Int(hop)] : 0
            right[index] = index < kept ? right[index + Int(hop)] : 0
        }
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                shift.addWindow({ sound.frame(window + Int64($0)) }, left: left, right: right)
            }
        }
    }

    private func readSound(through end: Int64) throws {
        while length == nil, sound.end < end {
            let found = try sound.append(FormantReader.readFrames) {
                try source.read(left: $0, right: $1, count: FormantReader.readFrames)
            }
            if found == 0 { length = sound.end }
        }
    }
}

/// A stem whose formants are moved, at its own pitch and rate.
struct FormantStem: StemSource {
    let source: any StemSource
    /// By which frequencies of formants are multiplied.
    let ratio: Double

    var sampleRate: SampleRate { source.sampleRate }
    var frameCount: Int64 { source.frameCount }

    func open() throws -> sending any StemReader { try open { true } }

    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StemReader {
        FormantReader(try source.open(while: isWanted), ratio: ratio, sampleRate: sampleRate)
    }
}
