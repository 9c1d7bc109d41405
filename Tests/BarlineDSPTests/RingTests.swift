import BarlineDSP
import Foundation
import Testing

@Suite("Rings")
struct RingTests {
    @Test("What is pushed is popped once, in order; a full ring refuses, an empty one has nothing")
    func order() {
        let ring = SPSCRing<Int>(minimumCapacity: 5)
        defer { ring.deallocate() }
        let capacity = ring.capacity
        #expect(capacity == 8)
        var results: [Bool] = []
        var popped: [Int?] = [ring.consumer.pop()]
        for round in 0..<100 {
            for value in 0..<8 { results.append(ring.producer.push(round * 8 + value)) }
            results.append(ring.producer.push(-1))
            results.append(ring.producer.push(all: [-1, -2]))
            for _ in 0..<9 { popped.append(ring.consumer.pop()) }
        }
        let taken = [Bool](repeating: true, count: 8) + [false, false]
        var expected: [Int?] = [nil]
        for round in 0..<100 {
            for value in 0..<8 { expected.append(round * 8 + value) }
            expected.append(nil)
        }
        #expect(results == Array([[Bool]](repeating: taken, count: 100).joined()))
        #expect(popped == expected)
        let isTogether = ring.producer.push(all: [1, 2, 3])
        let together = [ring.consumer.pop(), ring.consumer.pop(), ring.consumer.pop(), ring.consumer.pop()]
        #expect(isTogether)
        #expect(together == [1, 2, 3, nil])
    }

    @Test("A million elements cross between two threads in order")
    func threads() {
        let shared = SPSCRing<Int>(minimumCapacity: 256)
        defer { shared.deallocate() }
        Thread.detachNewThread {
            var value = 0
            while value < 1_000_000 {
                if shared.producer.push(value) { value += 1 }
            }
        }
        var expected = 0
        var isOrdered = true
        while expected < 1_000_000 {
            if let value = shared.consumer.pop() {
                isOrdered = isOrdered && value == expected
                expected += 1
            }
        }
        #expect(isOrdered)
    }

    @Test("Audio crosses between two threads whole; what does not fit is refused as a whole and counted")
    func audio() {
        let ring = AudioRing(minimumFrames: 64)
        defer { ring.deallocate() }
        let samples = (0..<64).map(Float.init)
        let isWritten = ring.producer.write(left: samples, right: samples, frames: 40)
        let isWrittenAgain = ring.producer.write(left: samples, right: samples, frames: 40)
        #expect(isWritten)
        #expect(!isWrittenAgain)
        var left = [Float](repeating: 0, count: 64)
        var right = left
        let readFrames = ring.consumer.read(left: &left, right: &right, frames: 64)
        #expect(readFrames == 40)
        #expect(left[39] == 39 && right[39] == 39)
        let atHole = ring.consumer.read(left: &left, right: &right, frames: 64)
        let position = ring.consumer.readPosition
        #expect(atHole == 0 && position == 80)

        let shared = AudioRing(minimumFrames: 512)
        defer { shared.deallocate() }
        Thread.detachNewThread {
            var frame = 0
            while frame < 500_000 {
                let block = (0..<50).map { Float((frame + $0) % 1_000) }
                if shared.producer.write(left: block, right: block, frames: 50) { frame += 50 }
            }
        }
        var next = 0
        var isWhole = true
        while next < 500_000 {
            let count = shared.consumer.read(left: &left, right: &right, frames: 33)
            for index in 0..<count {
                isWhole = isWhole && left[index] == Float((next + index) % 1_000) && right[index] == left[index]
            }
            next += count
        }
        #expect(isWhole)
    }

    @Test(
        "After a write that was refused, all are, until the reader has found the ring empty; its position counts them")
    func hole() {
        let ring = AudioRing(minimumFrames: 64)
        defer { ring.deallocate() }
        let samples = (0..<64).map(Float.init)
        var left = [Float](repeating: 0, count: 64)
        var right = left
        // Called one by one: what a ring does is not to be taken into a test's expression.
        let first = ring.producer.write(left: samples, right: samples, frames: 60)
        let second = ring.producer.write(left: samples, right: samples, frames: 30)
        let third = ring.producer.write(left: samples, right: samples, frames: 2)
        #expect(first && !second && !third)
        let some = ring.consumer.read(left: &left, right: &right, frames: 20)
        let fourth = ring.producer.write(left: samples, right: samples, frames: 5)
        #expect(some == 20 && !fourth)
        let rest = ring.consumer.read(left: &left, right: &right, frames: 64)
        let atEnd = ring.consumer.readPosition
        let none = ring.consumer.read(left: &left, right: &right, frames: 64)
        let afterHole = ring.consumer.readPosition
        #expect(rest == 40 && none == 0)
        #expect(atEnd == 60 && afterHole == 97)
        let fifth = ring.producer.write(left: samples, right: samples, frames: 8)
        let again = ring.consumer.read(left: &left, right: &right, frames: 64)
        let position = ring.consumer.readPosition
        #expect(fifth && again == 8 && position == 105)
    }
}
