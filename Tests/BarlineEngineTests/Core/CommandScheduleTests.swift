import BarlineDSP
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineEngine

/// What waits for its frame.
@Suite("The schedule of commands")
struct CommandScheduleTests {
    /// The model: all that wait, in the order in which they came.
    private struct Model {
        var waiting: [Command] = []

        mutating func removeNext() -> Command? {
            // The earliest frame; of those with it, the first that came.
            guard let due = waiting.map(\.due).min(), let index = waiting.firstIndex(where: { $0.due == due }) else {
                return nil
            }
            return waiting.remove(at: index)
        }
    }

    private func command(_ number: Int, due: Int) -> Command {
        var command = Command(
            frame: FrameTime(Int64(due)), action: .launcher(.stop(track: number)), id: CommandID(rawValue: number))
        command.due = command.frame
        return command
    }

    @Test("Commands come out by frame and, within a frame, as they came in", arguments: 1...20)
    func order(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let capacity = random.int(1...200)
        let store = CommandStore(capacity: capacity)
        defer { store.deallocate() }
        var schedule = CommandSchedule(in: store)
        var model = Model()
        // Few frames: many commands share one.
        let frames = random.int(1...40)
        for number in 0..<2_000 {
            if model.waiting.count < capacity, random.chance(0.55) {
                let command = command(number, due: random.int(0...frames))
                schedule.insert(command)
                model.waiting.append(command)
            } else if let expected = model.removeNext() {
                let frame = schedule.nextFrame
                let next = schedule.removeNext().id
                #expect(frame == expected.due && next == expected.id)
            }
            #expect(store.isFull == (model.waiting.count == capacity))
            if number % 50 == 0 {
                let isSound = schedule.checkInvariants()
                #expect(isSound)
            }
        }
        while let expected = model.removeNext() {
            let next = schedule.removeNext().id
            #expect(next == expected.id)
        }
        let end = schedule.nextFrame
        #expect(end == FrameTime(rawValue: .max))
    }

    @Test("Two schedules in one store hold as much together as it has room for", arguments: 1...10)
    func shared(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let capacity = random.int(1...100)
        let store = CommandStore(capacity: capacity)
        defer { store.deallocate() }
        var first = CommandSchedule(in: store)
        var second = CommandSchedule(in: store)
        var (firstModel, secondModel) = (Model(), Model())
        for number in 0..<2_000 {
            let isFirst = random.chance(0.5)
            if !store.isFull, random.chance(0.55) {
                let command = command(number, due: random.int(0...20))
                if isFirst { first.insert(command) } else { second.insert(command) }
                if isFirst { firstModel.waiting.append(command) } else { secondModel.waiting.append(command) }
            } else if isFirst, let expected = firstModel.removeNext() {
                let next = first.removeNext()
                #expect(next.id == expected.id && next.due == expected.due)
            } else if !isFirst, let expected = secondModel.removeNext() {
                let next = second.removeNext()
                #expect(next.id == expected.id && next.due == expected.due)
            }
            #expect(store.count == firstModel.waiting.count + secondModel.waiting.count)
            let isSound = first.checkInvariants() && second.checkInvariants()
            #expect(isSound)
        }
    }

    @Test("Thousands that come in order of time, or against it, come out in order")
    func thousands() {
        for isReversed in [false, true] {
            let store = CommandStore(capacity: 8_192)
            defer { store.deallocate() }
            var schedule = CommandSchedule(in: store)
            for number in 0..<8_192 { schedule.insert(command(number, due: isReversed ? 8_192 - number : number)) }
            let isSound = store.isFull && schedule.checkInvariants()
            #expect(isSound)
            let order = (0..<8_192).map { _ in schedule.removeNext().id.rawValue }
            #expect(order == (isReversed ? (0..<8_192).reversed() : Array(0..<8_192)))
        }
    }

    @Test("What waits costs a command the logarithm of its number, in whatever order it comes", arguments: 1...6)
    func steps(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let capacity = 4_096
        let depth = 12
        let store = CommandStore(capacity: capacity)
        defer { store.deallocate() }
        var schedule = CommandSchedule(in: store)
        for number in 0..<capacity {
            let due = [number, capacity - number, 7, random.int(0...1_000_000)][Int(seed) % 4]
            let before = schedule.steps
            schedule.insert(command(number, due: due))
            let steps = schedule.steps - before
            #expect(steps <= depth)
        }
        for _ in 0..<capacity {
            let before = schedule.steps
            _ = schedule.removeNext()
            let steps = schedule.steps - before
            #expect(steps <= 2 * depth)
        }
    }

    /// What threads that send share.
    private final class Storm: Sendable {
        let isOver = Atomic<Bool>(false)
        let sent = Atomic<Int>(0)
    }

    @Test("One block takes and performs no more commands than the capacity, whatever is sent meanwhile")
    func oneBlock() {
        let capacity = 256
        let engine = Engine(EngineConfiguration(trackCount: 1, commandCapacity: capacity))
        let recorder = Recorder(engine, frames: 64 * 501)
        let storm = Storm()
        let threads = DispatchGroup()
        for _ in 0..<3 {
            DispatchQueue.global().async(group: threads) {
                while !storm.isOver.load(ordering: .acquiring) {
                    // Refused where it would be too much.
                    let command = try? engine.mixer[.main].setGain(Decibels(-6))
                    if command != nil { storm.sent.wrappingAdd(1, ordering: .relaxed) }
                }
            }
        }
        func performed() -> Int { engine.link.counters.pointee.executed.load(ordering: .acquiring) }
        var before = 0
        for _ in 0..<500 {
            // Somebody has sent something.
            while storm.sent.load(ordering: .acquiring) <= before { sched_yield() }
            recorder.render(64, .fixed(64))
            let now = performed()
            #expect(now - before <= capacity)
            before = now
        }
        storm.isOver.store(true, ordering: .releasing)
        threads.wait()
        recorder.render(64, .fixed(64))
        // Nothing is lost either.
        #expect(performed() == storm.sent.load(ordering: .acquiring))
        #expect(before > capacity)
    }
}
