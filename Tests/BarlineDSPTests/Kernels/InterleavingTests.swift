import CKernels
import Testing

/// What is between files and the engine gives the same bits as the plain loop, with every set of instructions.
@Suite("Interleaving", .serialized)
struct InterleavingTests {
    private static let lengths = [0, 1, 7, 8, 9, 16, 31, 100, 2_049]

    @Test("Frames are parted and put together as they were", arguments: lengths)
    func frames(count: Int) {
        let left = TestSound.noise(count, seed: 1)
        let right = TestSound.noise(count, seed: 2)
        let frames = (0..<count).flatMap { [left[$0], right[$0]] }
        Instructions.forEach { instructions in
            // One frame more on either side is left alone.
            var together = [Float](repeating: 9, count: 2 * count + 1)
            dsp_interleave(left, right, &together, count)
            #expect(together == frames + [9], "\(instructions)")
            var (first, second) = (left + [9], right + [9])
            for index in 0..<count { (first[index], second[index]) = (0, 0) }
            #expect(dsp_split(frames, &first, &second, count) == count, "\(instructions)")
            #expect(first == left + [9] && second == right + [9], "\(instructions)")
            #expect(dsp_find_not_finite(left, count) == count, "\(instructions)")
        }
    }

    @Test("Frames of 16 bits are parted, and full scale is −32,768", arguments: lengths)
    func shorts(count: Int) {
        let noise = TestSound.noise(2 * count, seed: 4)
        var frames = noise[..<(2 * count)].map { Int16($0 * 65_535) }
        for (index, value) in zip(frames.indices, [Int16.min, .max, -1, 0, 1, .max, .min]) { frames[index] = value }
        let parts = (0..<2).map { side in (0..<count).map { Float(frames[2 * $0 + side]) / 32_768 } + [9] }
        Instructions.forEach { instructions in
            var (left, right) = ([Float](repeating: 9, count: count + 1), [Float](repeating: 9, count: count + 1))
            dsp_split_shorts(frames, &left, &right, count)
            #expect(left == parts[0] && right == parts[1], "\(instructions)")
        }
    }

    @Test("The first frame that is no finite number is found", arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(value: Float) {
        let count = 37
        for place in 0..<2 * count {
            var frames = TestSound.noise(2 * count, seed: 3)
            frames[0] = .greatestFiniteMagnitude
            frames[place] = value
            if place + 5 < frames.count { frames[place + 5] = .nan }
            var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
            Instructions.forEach { instructions in
                #expect(dsp_split(frames, &left, &right, count) == place / 2, "\(instructions)")
                #expect(dsp_find_not_finite(frames, 2 * count) == place, "\(instructions)")
            }
        }
    }
}
