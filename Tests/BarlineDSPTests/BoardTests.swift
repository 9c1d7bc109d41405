import BarlineDSP
import Foundation
import Testing

@Suite("Board")
struct BoardTests {
    private struct Odd: BitwiseCopyable, Hashable {
        let flag: Bool
        let number: Double
        let small: UInt8
    }

    private struct Wide: BitwiseCopyable, Hashable {
        let values: SIMD4<Float>
        let count: Int
    }

    private struct Tiny: BitwiseCopyable, Hashable {
        let byte: UInt8
    }

    @Test("Snapshots of any size are read as they were published, each in its place")
    func places() {
        var size = BoardSize()
        let odd = BoardPlace<Odd>(in: &size)
        let tinies = BoardPlace<Tiny>(in: &size, count: 5)
        let parts = size
        let wides = BoardPlace<Wide>(in: &size, count: 3)
        let board = Board(size)
        defer { board.deallocate() }
        #expect(board.reader.publicationCount == 0)
        #expect(board.reader.read(odd) == Odd(flag: false, number: 0, small: 0))

        let oneOdd = Odd(flag: true, number: -0.1, small: 255)
        let wide = (0..<3).map { Wide(values: [Float($0), 1, -2, 0.5], count: -$0) }
        board.writer.beginUpdate()
        board.writer.put(oneOdd, at: odd)
        for index in 0..<5 { board.writer.put(Tiny(byte: UInt8(index * 50)), at: tinies, index) }
        for index in 0..<3 { board.writer.put(wide[index], at: wides, index) }
        board.writer.endUpdate()

        #expect(board.reader.publicationCount == 1)
        #expect(board.reader.read(odd) == oneOdd)
        #expect((0..<5).map { board.reader.read(tinies, $0).byte } == [0, 50, 100, 150, 200])
        #expect((0..<3).map { board.reader.read(wides, $0) } == wide)
        let copy = board.reader.read(size)
        #expect(copy[odd] == oneOdd && (0..<5).allSatisfy { copy[tinies, $0].byte == UInt8($0 * 50) })
        #expect((0..<3).map { copy[wides, $0] } == wide)
        #expect(board.reader.read(parts)[odd] == oneOdd)
    }

    @Test("While snapshots are published, what is read is of one moment")
    func wholeness() {
        var size = BoardSize()
        let first = BoardPlace<Wide>(in: &size)
        let row = BoardPlace<Odd>(in: &size, count: 64)
        let board = Board(size)
        defer { board.deallocate() }
        let writer = Thread {
            for count in 1...10_000 {
                let number = Double(count)
                board.writer.beginUpdate()
                board.writer.put(Wide(values: SIMD4(repeating: Float(count)), count: count), at: first)
                for index in 0..<64 {
                    board.writer.put(
                        Odd(flag: count % 2 == 1, number: number, small: UInt8(count & 255)), at: row, index)
                }
                board.writer.endUpdate()
                // Now and then there is time to read; else readers would see the last ones alone.
                if count % 4 == 0 { Thread.sleep(forTimeInterval: 0.00001) }
            }
        }
        writer.start()
        var latest = 0
        var isWhole = true
        while latest < 10_000 {
            let one = board.reader.read(first)
            isWhole = isWhole && one.values == SIMD4(repeating: Float(one.count)) && one.count >= latest
            let all = board.reader.read(size)
            latest = all[first].count
            let expected = Odd(flag: latest % 2 == 1, number: Double(latest), small: UInt8(latest & 255))
            isWhole = isWhole && latest >= one.count && (0..<64).allSatisfy { all[row, $0] == expected }
        }
        #expect(isWhole)
        #expect(board.reader.publicationCount == 10_000)
    }
}
