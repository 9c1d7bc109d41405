import BarlineTime

/// The chunks of a recording's file beside its samples: when it was recorded (`bext`, EBU Tech 3285), of a loop where
/// it loops (`smpl`) and how long it is in beats (`acid`), and where sound is missing (`cue ` with labels).
package struct TakeChunks: Hashable, Sendable {
    private let loop: Loop?
    private let timeReference: Int64
    private let sampleRate: SampleRate
    private let gaps: [Range<Int64>]
    private let latency: Int?

    private struct Loop: Hashable {
        let frames: Range<Int>
        let beats: Double
    }

    /// A recording that does not loop.
    ///
    /// - Parameters:
    ///   - timeReference: the frame of the timeline that the file's first frame belongs at.
    ///   - sampleRate: of the file.
    ///   - gaps: the frames of the file whose sound is missing.
    ///   - latency: how many frames before its delivery what is in it was played, of what an input took in.
    package init(timeReference: Int64, sampleRate: SampleRate, gaps: [Range<Int64>], latency: Int? = nil) {
        loop = nil
        self.timeReference = timeReference
        self.sampleRate = sampleRate
        self.gaps = gaps
        self.latency = latency
    }

    /// A loop.
    ///
    /// - Parameters:
    ///   - loop: its frames in the file.
    ///   - beats: its length in quarter notes.
    ///   - timeReference: the frame of the timeline that the file's first frame belongs at.
    ///   - sampleRate: of the file.
    ///   - gaps: the frames of the file whose sound is missing.
    package init(
        loop: Range<Int>, beats: Double, timeReference: Int64, sampleRate: SampleRate, gaps: [Range<Int64>] = []
    ) {
        self.loop = Loop(frames: loop, beats: beats)
        self.timeReference = timeReference
        self.sampleRate = sampleRate
        self.gaps = gaps
        latency = nil
    }

    /// The chunks one after the other, each of an even number of bytes.
    var bytes: [UInt8] {
        var bytes = chunk("bext", broadcast)
        if let loop { bytes += chunk("smpl", sampler(loop)) + chunk("acid", acid(loop)) }
        if !gaps.isEmpty { bytes += chunk("cue ", cues) + chunk("LIST", labels) }
        return bytes
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.append(littleEndian: UInt32(body.count))
        return bytes + body
    }

    /// What the description says of a latency, with the frames behind it.
    static let latencyWords = "latency taken off, in frames: "

    /// The description says what latency was taken off. Originator, its reference, date and time stay empty: the same
    /// performance gives the same file.
    private var broadcast: [UInt8] {
        var body = latency.map { Array("\(TakeChunks.latencyWords)\($0)".utf8) } ?? []
        body += [UInt8](repeating: 0, count: 256 + 32 + 32 + 10 + 8 - body.count)
        body.append(littleEndian: UInt64(max(0, timeReference)))
        body.append(littleEndian: UInt16(1))
        return body + [UInt8](repeating: 0, count: TakeChunks.broadcastBytes - body.count)
    }

    private static let broadcastBytes = 602
    private static let names: Set<String> = ["bext", "smpl", "acid", "cue ", "LIST"]

    /// Finds the chunks of a file at the end of its bytes, some of which may not have been written.
    ///
    /// As samples the first eight of their bytes would be 10³¹ and next to nothing, which no recording has.
    ///
    /// - Parameters:
    ///   - bytes: the file's last ones.
    ///   - stride: the bytes of a frame, of which there is a whole number before the chunks.
    /// - Returns: where they begin, and whether all of the last one is there; `nil` if there are none.
    static func find(inLast bytes: [UInt8], stride: Int) -> (place: Int, isWhole: Bool)? {
        var beginning = Array("bext".utf8)
        beginning.append(littleEndian: UInt32(broadcastBytes))
        for place in Swift.stride(from: 0, through: bytes.count - beginning.count, by: stride)
        where bytes[place] == beginning[0] && bytes[place..<place + beginning.count].elementsEqual(beginning) {
            var next = place
            var isKnown = true
            while isKnown, bytes.count - next >= 8 {
                isKnown = names.contains(String(decoding: bytes[next..<next + 4], as: UTF8.self))
                let length = bytes[next + 4..<next + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
                next += 8 + length + length % 2
            }
            if isKnown { return (place, next == bytes.count) }
        }
        return nil
    }

    private func sampler(_ loop: Loop) -> [UInt8] {
        var body: [UInt8] = []
        let period = UInt32((1e9 / sampleRate.hertz).rounded())
        // Manufacturer, product, period, the note C4 and its fraction, SMPTE format and offset, one loop, no data of
        // its own.
        for value in [0, 0, period, 60, 0, 0, 0, 1, 0] { body.append(littleEndian: value) }
        // The loop's name, its kind, its first and its last frame, fraction, without end.
        for value in [
            0, 0, UInt32(clamping: loop.frames.lowerBound), UInt32(clamping: loop.frames.upperBound - 1), 0, 0,
        ] {
            body.append(littleEndian: value)
        }
        return body
    }

    private func acid(_ loop: Loop) -> [UInt8] {
        var body: [UInt8] = []
        // A loop without a root note.
        body.append(littleEndian: UInt32(0))
        body.append(littleEndian: UInt16(60))
        body.append(littleEndian: UInt16(0))
        body.append(littleEndian: Float(0).bitPattern)
        body.append(littleEndian: UInt32(clamping: Int64(loop.beats.rounded())))
        body.append(littleEndian: UInt16(4))
        body.append(littleEndian: UInt16(4))
        let seconds = sampleRate.seconds(frames: Int64(loop.frames.count))
        body.append(littleEndian: Float(Tempo.beatsPerMinute(of: loop.beats, in: seconds)).bitPattern)
        return body
    }

    /// A cue point at the beginning of each gap.
    private var cues: [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: UInt32(clamping: gaps.count))
        for (index, gap) in gaps.enumerated() {
            let frame = UInt32(clamping: gap.lowerBound)
            for value in [UInt32(clamping: index + 1), frame] { body.append(littleEndian: value) }
            body += Array("data".utf8)
            // The chunk's place and the block's, which only lists of chunks have, and the frame.
            for value in [0, 0, frame] { body.append(littleEndian: value) }
        }
        return body
    }

    /// What the cue points are called, and how long the gaps are.
    private var labels: [UInt8] {
        var body = Array("adtl".utf8)
        for (index, gap) in gaps.enumerated() {
            let number = UInt32(clamping: index + 1)
            var label: [UInt8] = []
            label.append(littleEndian: number)
            label += Array("gap of \(gap.count) \(gap.count == 1 ? "frame" : "frames")".utf8) + [0]
            if label.count % 2 == 1 { label.append(0) }
            var region: [UInt8] = []
            for value in [number, UInt32(clamping: gap.count)] { region.append(littleEndian: value) }
            // Its purpose; country, language, dialect and code page are not stated.
            region += Array("rgn ".utf8) + [UInt8](repeating: 0, count: 8)
            body += chunk("labl", label) + chunk("ltxt", region)
        }
        return body
    }
}
