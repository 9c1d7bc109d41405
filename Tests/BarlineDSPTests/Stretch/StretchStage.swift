import BarlineTime
import Foundation

@testable import BarlineDSP

/// A source that is stretched, and what comes out of it.
final class StretchStage {
    struct Output: Equatable {
        var left: [Float]
        var right: [Float]
    }

    /// A change of the rate at a frame, at which the position stays.
    struct Step {
        let frame: Int64
        let rate: Double
    }

    private(set) var transformsPerBlock: [Int64] = []
    private let buffer: SampleBuffer
    private let marks: UnsafeMutablePointer<StretchMark>
    private let markCount: Int
    private let restartMark: Int
    private let loops: Bool
    private let pace: Double
    private let style: StretchStyle
    private let weak: UnsafeMutablePointer<Int>
    private let weakCount: Int

    init(
        left: [Float], right: [Float]? = nil, marks: [StretchMark] = [], loops: Bool = false, pace: Double = 1,
        style: StretchStyle = StretchStyle(), weak: [Int] = []
    ) {
        buffer = SampleBuffer(left: left, right: right, sampleRate: .standard)
        self.marks = .allocate(capacity: max(1, marks.count))
        self.marks.initialize(from: marks, count: marks.count)
        markCount = marks.count
        restartMark = marks.firstIndex { $0.isRestart } ?? -1
        self.loops = loops
        self.pace = pace
        self.style = style
        self.weak = .allocate(capacity: max(1, weak.count))
        self.weak.initialize(from: weak, count: weak.count)
        weakCount = weak.count
    }

    deinit {
        marks.deallocate()
        weak.deallocate()
    }

    /// What is read of it.
    var source: StretchSource {
        StretchSource(
            region: TestSound.region(buffer, loops: loops), marks: UnsafePointer(marks), markCount: markCount,
            restartMark: restartMark, style: style, pace: pace, weak: UnsafePointer(weak), weakCount: weakCount)
    }

    static func cuts(_ positions: [Int], fresh: Int? = nil) -> [StretchMark] {
        positions.map { StretchMark(position: $0, isCut: true, isRestart: $0 == fresh) }
    }

    /// Renders `count` frames from the position 0 on, in blocks of the sizes of `blocks`, one after the other and
    /// round.
    func render(
        _ count: Int, rate: Double, steps: [Step] = [], blocks: [Int] = [512], voices: Int = 1, slot: Int = 0,
        from start: Double = 0
    ) -> Output {
        let pool = StretchPool(voiceCount: max(voices, slot + 1), sampleRate: .standard)
        let source = source
        let segment = TempoSegment(
            startFrame: .zero, startBeat: Beat(rawValue: 0), tempo: .standard, endTempo: .standard, rampBeats: 0,
            sampleRate: .standard)
        var output = Output(left: Array(repeating: .nan, count: count), right: Array(repeating: .nan, count: count))
        var now: Int64 = 0
        var anchor = (frame: Int64(0), position: SourcePosition(start), rate: rate)
        var pending = steps
        var cycle = 0
        transformsPerBlock = []
        output.left.withUnsafeMutableBufferPointer { left in
            output.right.withUnsafeMutableBufferPointer { right in
                guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                while now < Int64(count) {
                    let before = Self.transforms(pool)
                    let blockEnd = min(Int64(count), now + Int64(blocks[cycle % blocks.count]))
                    cycle += 1
                    while now < blockEnd {
                        if let step = pending.first, step.frame <= now {
                            let place = anchor.position.advanced(
                                by: SourcePosition(anchor.rate), times: now - anchor.frame)
                            anchor = (now, place, step.rate)
                            pending.removeFirst()
                            for index in 0..<pool.voiceCount { pool.voices[index].replan() }
                        }
                        let end = min(blockEnd, pending.first?.frame ?? .max)
                        let course = StretchCourse(
                            anchorFrame: FrameTime(anchor.frame), anchor: anchor.position,
                            step: SourcePosition(anchor.rate), rate: anchor.rate, segment: segment)
                        for voice in (voices > 1 ? 0 : slot)..<max(voices, slot + 1) {
                            pool.render(
                                voice: voice, of: source, along: course, from: now, count: Int(end - now),
                                left: leftBase + Int(now), right: rightBase + Int(now))
                        }
                        now = end
                    }
                    transformsPerBlock.append(Self.transforms(pool) - before)
                }
            }
        }
        return output
    }

    private static func transforms(_ pool: borrowing StretchPool) -> Int64 {
        (0..<pool.voiceCount).reduce(0) { $0 + pool.voices[$1].transformCount }
    }
}
