import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

@Suite("A ring of what is streamed")
struct StreamRingTests {
    /// The sample of a frame: no two frames that are in a ring at once have the same.
    private func sample(_ frame: Int64) -> Float { Float(frame % 8_191) }

    private func append(_ frames: Range<Int64>, to ring: StreamRing.Writer) {
        let left = frames.map(sample)
        let right = left.map { -$0 }
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                ring.append(left, right, count: frames.count)
            }
        }
    }

    @Test("What is appended in pieces is read in others, and is silent where it is not written yet", arguments: 1...8)
    func pieces(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        let ring = StreamRing(capacity: 1_024)
        defer { ring.deallocate() }
        let start = Int64(random.int(-5_000...5_000))
        ring.writer.restart(at: start)
        #expect(ring.reader.first == start)
        var (written, read) = (start, start)
        for _ in 0..<400 {
            let room = ring.writer.room
            #expect(room == 1_024 - Int(written - max(start, read)))
            let count = min(random.int(0...300), room)
            if count > 0 { append(written..<written + Int64(count), to: ring.writer) }
            written += Int64(count)
            #expect(ring.reader.written == written)
            let wanted = random.int(1...400)
            var left = [Float](repeating: .nan, count: wanted)
            var right = left
            ring.reader.read(at: read, count: wanted, left: &left, right: &right)
            for index in 0..<wanted {
                let expected = read + Int64(index) < written ? sample(read + Int64(index)) : 0
                #expect(left[index] == expected && right[index] == -expected)
            }
            read = min(written, read + Int64(wanted))
            ring.reader.release(before: read)
        }
    }

    @Test("Every span as long as the overlap is in one piece", arguments: 1...4)
    func spans(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        let ring = StreamRing(capacity: 512, overlap: 100)
        defer { ring.deallocate() }
        ring.writer.restart(at: 0)
        var written: Int64 = 0
        for _ in 0..<200 {
            let count = Int64(random.int(1...200))
            ring.reader.release(before: written + count - 512)
            append(written..<written + count, to: ring.writer)
            written += count
            let first = max(ring.reader.firstReadable, Int64(random.int(Int(max(0, written - 512))...Int(written))))
            let length = min(100, Int(written - first))
            #expect(ring.reader.holds(first, first + Int64(length)))
            let region = ring.reader.region(from: first, length: length)
            for index in 0..<length {
                #expect(region.left[index] == sample(first + Int64(index)))
                #expect(region.right[index] == -sample(first + Int64(index)))
            }
        }
    }

    @Test("What was left out, given up or not written yet is not there")
    func bounds() {
        let ring = StreamRing(capacity: 512)
        defer { ring.deallocate() }
        ring.writer.restart(at: 100)
        append(100..<200, to: ring.writer)
        #expect(ring.reader.holds(100, 200))
        #expect(!ring.reader.holds(99, 150) && !ring.reader.holds(150, 201))
        ring.reader.release(before: 150)
        // Frames that were given up are not taken back.
        ring.reader.release(before: 120)
        #expect(!ring.reader.holds(149, 200) && ring.reader.holds(150, 200))
        ring.writer.skip(to: 300)
        append(300..<310, to: ring.writer)
        #expect(ring.reader.first == 300 && ring.reader.holds(300, 310) && !ring.reader.holds(199, 310))
        #expect(ring.reader.end == .max)
        ring.writer.setEnd(310)
        #expect(ring.reader.end == 310)
        ring.writer.restart(at: 0)
        #expect(ring.reader.end == .max && ring.reader.written == 0 && ring.writer.room == 512)
    }
}
