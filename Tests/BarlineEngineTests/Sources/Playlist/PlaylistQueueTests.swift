import BarlineEngine
import Testing

@Suite("A playlist's order")
struct PlaylistQueueTests {
    private func queue(_ count: Int, seed: UInt64 = 1) -> PlaylistQueue {
        var queue = PlaylistQueue(seed: seed)
        for number in 0..<count { queue.insert(PlaylistItemID(number), at: number) }
        return queue
    }

    private func modes(_ change: (inout PlaylistModes) -> Void) -> PlaylistModes {
        var modes = PlaylistModes()
        change(&modes)
        return modes
    }

    private func numbers(_ items: [PlaylistItemID]) -> [Int] { items.map(\.rawValue) }

    private func following(_ queue: inout PlaylistQueue, _ count: Int) -> [Int] { numbers(queue.upcoming(count)) }

    @Test("Items that are inserted beyond the list's ends come at the nearer one, in their order")
    func insertedBeyond() throws {
        let stage = PlaylistStage([.noise(1, frames: 100)], frames: 1)
        try stage.player.insert([.noise(2, frames: 100), .noise(3, frames: 100)], at: .max)
        try stage.player.insert([.noise(4, frames: 100), .noise(5, frames: 100)], at: .min)
        #expect(stage.player.items.map(\.id.rawValue) == [4, 5, 1, 2, 3])
    }

    @Test("Repetition, single and stopping after the current item")
    func modes() {
        var queue = self.queue(3)
        queue.select(PlaylistItemID(1))
        #expect(following(&queue, 5) == [2])
        queue.setModes(modes { $0.repeat = .all })
        #expect(following(&queue, 5) == [2, 0, 1, 2, 0])
        queue.setModes(modes { $0.repeat = .one })
        #expect(following(&queue, 3) == [1, 1, 1])
        let followed = queue.following()
        #expect(followed == PlaylistItemID(2), "next leaves an item that repeats")
        queue.setModes(modes { $0.isSingle = true })
        #expect(following(&queue, 3).isEmpty)
        queue.setModes(
            modes {
                $0.isSingle = true
                $0.repeat = .all
            })
        #expect(following(&queue, 2) == [1, 1])
        queue.setModes(modes { $0.stopsAfterCurrent = true })
        #expect(following(&queue, 3).isEmpty)
        queue.finish()
        #expect(queue.current == PlaylistItemID(2) && !queue.modes.stopsAfterCurrent)
    }

    @Test("Consumed items leave the list when they were played, and no other ones do")
    func consume() {
        var queue = self.queue(3)
        queue.setModes(modes { $0.consumes = true })
        queue.advance()
        #expect(numbers(queue.items) == [1, 2] && queue.current == PlaylistItemID(1))
        let hasStepped = queue.stepForward()
        #expect(hasStepped && numbers(queue.items) == [2])
        queue.finish()
        #expect(queue.items.isEmpty && queue.current == nil)
    }

    @Test("Shuffled, none is played twice before all were, whatever is moved and inserted", arguments: 1...20)
    func shuffle(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        var queue = self.queue(10, seed: UInt64(seed))
        queue.setModes(
            modes {
                $0.isShuffled = true
                $0.repeat = .all
            })
        var played = [queue.current]
        var next = 10
        var isEdited = true
        while played.count < queue.items.count {
            if isEdited {
                queue.move(from: random.int(0...queue.items.count - 1), to: random.int(0...queue.items.count - 1))
                if next < 15 {
                    queue.insert(PlaylistItemID(next), at: random.int(0...queue.items.count))
                    next += 1
                }
            }
            isEdited = random.chance(0.7)
            let announced = queue.upcoming(3)
            let hasNext = queue.advance()
            #expect(hasNext && queue.current == announced.first, "what was told to follow does")
            played.append(queue.current)
        }
        #expect(Set(played).count == played.count)
        let secondRound = queue.upcoming(queue.items.count)
        #expect(Set(secondRound).count == queue.items.count, "the next round has each of them once")
        for expected in secondRound {
            queue.advance()
            #expect(queue.current == expected)
        }
    }

    @Test(
        "One item is current where there is any, and every round has each item once, whatever is done",
        arguments: 1...20)
    func anything(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        var queue = PlaylistQueue(seed: UInt64(seed))
        for number in 0..<500 {
            let item = queue.items.isEmpty ? nil : queue.items[random.int(0...queue.items.count - 1)]
            switch random.int(0...11) {
            case 0, 1, 2: queue.insert(PlaylistItemID(number), at: random.int(0...queue.items.count))
            case 3: if let item { queue.remove(item) }
            case 4: queue.move(from: random.int(0...9), to: random.int(0...9))
            case 5: if let item { queue.select(item) }
            case 6: if let item { queue.replace(item, with: PlaylistItemID(number)) }
            case 7:
                queue.setModes(
                    modes {
                        $0.repeat = [.off, .one, .all][random.int(0...2)]
                        $0.isSingle = random.chance(0.2)
                        $0.consumes = random.chance(0.2)
                        $0.isShuffled = random.chance(0.5)
                    })
            case 8: queue.advance()
            case 9: _ = queue.stepForward()
            case 10: random.chance(0.5) ? queue.finish() : queue.stepBack()
            default: _ = queue.upcoming(random.int(1...30))
            }
            #expect(queue.checkInvariants(), "step \(number)")
        }
    }

    @Test("Different seeds give different orders, equal ones the same")
    func seeds() {
        func order(_ seed: UInt64) -> [Int] {
            var queue = self.queue(30)
            queue.setShuffle(true, seed: seed)
            return numbers(queue.upcoming(29))
        }
        #expect(order(1) == order(1))
        #expect(order(1) != order(2))
        #expect(Set(order(3)).count == 29)
    }

    @Test("An item that is chosen by hand while shuffled does not come again in the round")
    func chosen() {
        var queue = self.queue(8)
        queue.setShuffle(true, seed: 5)
        let first = queue.current
        let last = queue.upcoming(7)[6]
        queue.select(last)
        let rest = queue.upcoming(20)
        #expect(rest.count == 6 && !rest.contains(last) && !rest.contains { $0 == first })
        #expect(queue.preceding() == first)
    }

    @Test("Where the current item goes, the one that follows is current; at the end there is none to go on with")
    func removal() {
        var queue = self.queue(4)
        queue.select(PlaylistItemID(1))
        let steps = [1, 0, 3, 2].map { number in
            let continues = queue.remove(PlaylistItemID(number))
            return (continues, queue.current?.rawValue)
        }
        #expect(steps.map(\.0) == [true, true, true, false])
        #expect(steps.map(\.1) == [2, 2, 2, nil])
    }

    @Test("Another list keeps what plays where it is in it")
    func replaced() {
        var queue = self.queue(3)
        queue.select(PlaylistItemID(2))
        queue.replaceAll(with: [PlaylistItemID(7), PlaylistItemID(2), PlaylistItemID(8)])
        #expect(queue.current == PlaylistItemID(2) && following(&queue, 4) == [8])
        queue.replaceAll(with: [PlaylistItemID(9)])
        #expect(queue.current == PlaylistItemID(9))
    }
}
