import BarlineTime

/// What the file of a recorded loop says beside its samples: when it was recorded (`bext`, EBU Tech 3285), where it
/// loops (`smpl`), and how long it is in beats (`acid`).
package struct TakeChunks: Hashable, Sendable {
    private let loop: Range<Int>
    private let beats: Double
    private let timeReference: Int64
    private let sampleRate: SampleRate

    /// A loop.
    ///
    /// - Parameters:
    ///   - loop: its frames in the file.
    ///   - beats: its length in quarter notes.
    ///   - timeReference: the frame of the timeline that the file's first frame belongs at.
    ///   - sampleRate: of the file.
    package init(loop: Range<Int>, beats: Double, timeReference: Int64, sampleRate: SampleRate) {
        self.loop = loop
        self.beats = beats
        self.timeReference = timeReference
        self.sampleRate = sampleRate
    }

    /// The chunks one after the other, each of an even number of bytes.
    var bytes: [UInt8] {
        chunk("bext", broadcast) + chunk("smpl", sampler) + chunk("acid", acid)
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.append(littleEndian: UInt32(body.count))
        return bytes + body
    }

    /// Description, originator, its reference, date and time stay empty: the same performance gives the same file.
    private var broadcast: [UInt8] {
        var body = [UInt8](repeating: 0, count: 256 + 32 + 32 + 10 + 8)
        body.append(littleEndian: UInt64(max(0, timeReference)))
        body.append(littleEndian: UInt16(1))
        return body + [UInt8](repeating: 0, count: 64 + 190)
    }

    private var sampler: [UInt8] {
        var body: [UInt8] = []
        let period = UInt32((1e9 / sampleRate.hertz).rounded())
        // Manufacturer, product, period, the note C4 and its fraction, SMPTE format and offset, one loop, no data of
        // its own.
        for value in [0, 0, period, 60, 0, 0, 0, 1, 0] { body.append(littleEndian: value) }
        // The loop's name, its kind, its first and its last frame, fraction, without end.
        for value in [0, 0, UInt32(clamping: loop.lowerBound), UInt32(clamping: loop.upperBound - 1), 0, 0] {
            body.append(littleEndian: value)
        }
        return body
    }

    private var acid: [UInt8] {
        var body: [UInt8] = []
        // A loop without a root note.
        body.append(littleEndian: UInt32(0))
        body.append(littleEndian: UInt16(60))
        body.append(littleEndian: UInt16(0))
        body.append(littleEndian: Float(0).bitPattern)
        body.append(littleEndian: UInt32(clamping: Int64(beats.rounded())))
        body.append(littleEndian: UInt16(4))
        body.append(littleEndian: UInt16(4))
        let seconds = sampleRate.seconds(frames: Int64(loop.count))
        body.append(littleEndian: Float(beats * 60 / seconds).bitPattern)
        return body
    }
}
