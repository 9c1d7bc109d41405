import BarlineTime
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
        var schedule = CommandSchedule(capacity: capacity)
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
            let isFull = schedule.isFull
            #expect(isFull == (model.waiting.count == capacity))
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

    @Test("Thousands that come in order of time, or against it, come out in order")
    func thousands() {
        for isReversed in [false, true] {
            var schedule = CommandSchedule(capacity: 8_192)
            for number in 0..<8_192 { schedule.insert(command(number, due: isReversed ? 8_192 - number : number)) }
            let isSound = schedule.isFull && schedule.checkInvariants()
            #expect(isSound)
            let order = (0..<8_192).map { _ in schedule.removeNext().id.rawValue }
            #expect(order == (isReversed ? (0..<8_192).reversed() : Array(0..<8_192)))
        }
    }
}
