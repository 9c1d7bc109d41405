import Testing

@testable import BarlineDSP

/// Memory whose pages are given back and moved.
@Suite("Memory for samples")
struct SampleStorageTests {
    private static let piece = 16_384

    private func fill(_ storage: SampleStorage, from first: Int, with value: Float) {
        for frame in first..<first + Self.piece {
            storage.left[frame] = value + Float(frame - first)
            storage.right[frame] = -value - Float(frame - first)
        }
    }

    private func holds(_ storage: SampleStorage, from first: Int, _ value: (Int) -> Float) -> Bool {
        (0..<Self.piece).allSatisfy {
            storage.left[first + $0] == value($0) && storage.right[first + $0] == -value($0)
        }
    }

    @Test("Pages that are moved take their samples along, and leave silence; those beside them stay")
    func moving() {
        let storage = SampleStorage(mapped: 8 * Self.piece, channels: 2)
        for index in 0..<4 { fill(storage, from: index * Self.piece, with: Float(100_000 * index)) }
        guard storage.move(Self.piece..<2 * Self.piece, to: 6 * Self.piece) else {
            Issue.record("this system moves pages")
            return
        }
        #expect(holds(storage, from: 6 * Self.piece) { 100_000 + Float($0) })
        #expect(holds(storage, from: Self.piece) { _ in 0 })
        #expect(holds(storage, from: 0) { Float($0) })
        #expect(holds(storage, from: 2 * Self.piece) { 200_000 + Float($0) })
        // Where they were, and on to what is there already.
        fill(storage, from: Self.piece, with: 7)
        #expect(storage.move(Self.piece..<2 * Self.piece, to: 2 * Self.piece))
        #expect(holds(storage, from: 2 * Self.piece) { 7 + Float($0) })
        storage.discard(6 * Self.piece..<7 * Self.piece)
        #expect(holds(storage, from: 6 * Self.piece) { _ in 0 })
    }
}
