import BarlineDSP

/// The order in which the items of a playlist play, and how edits change it. A pure value.
///
/// There is always a current item unless the list is empty. ``upcoming(_:)`` returns those that follow it; its result
/// never changes later except by an edit, so that it can be enqueued ahead.
package struct PlaylistQueue: Sendable, Equatable {
    /// The items, in list order.
    package private(set) var items: [PlaylistItemID] = []
    /// The item that plays, or would.
    package private(set) var current: PlaylistItemID?
    /// The modes.
    package private(set) var modes = PlaylistModes()

    /// The shuffled order of the current round; items before the current one have been played.
    private var round: [PlaylistItemID] = []
    /// The shuffled order of the next round, if it has been drawn.
    private var nextRound: [PlaylistItemID]?
    private var random: SplitMix64

    /// Creates an empty queue. All randomness follows from `seed`.
    package init(seed: UInt64 = 0) { random = SplitMix64(seed: seed) }

    /// Whether the invariants hold: there is a current item unless the list is empty, items are unique, and each round
    /// drawn has all of them. O(*n*) in the items.
    package func checkInvariants() -> Bool {
        let all = Set(items)
        func isRound(_ list: [PlaylistItemID]) -> Bool { list.count == items.count && Set(list) == all }
        guard all.count == items.count else { return false }
        if let current { guard all.contains(current) else { return false } } else if !items.isEmpty { return false }
        return modes.isShuffled ? isRound(round) && nextRound.map(isRound) ?? true : round.isEmpty && nextRound == nil
    }

    /// The index of an item in the list.
    package func index(of item: PlaylistItemID) -> Int? { items.firstIndex(of: item) }

    private var order: [PlaylistItemID] { modes.isShuffled ? round : items }

    // MARK: Edits

    /// Inserts an item into the list. Shuffled, it gets a random place among those that have not been played yet.
    package mutating func insert(_ item: PlaylistItemID, at index: Int) {
        items.insert(item, at: min(max(0, index), items.count))
        if current == nil { current = item }
        guard modes.isShuffled else { return }
        let played = current.flatMap { round.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        round.insert(item, at: round.isEmpty ? 0 : Int.random(in: played...max(played, round.count), using: &random))
        if let count = nextRound?.count { nextRound?.insert(item, at: Int.random(in: 0...count, using: &random)) }
    }

    /// Removes an item from the list. If it is the current one, the one that follows becomes current, or else the
    /// first.
    ///
    /// - Returns: whether there is an item to continue with.
    @discardableResult
    package mutating func remove(_ item: PlaylistItemID) -> Bool {
        guard items.contains(item) else { return true }
        if item == current {
            var after = self
            after.modes.repeat = modes.repeat == .one ? .off : modes.repeat
            after.modes.isSingle = false
            after.modes.stopsAfterCurrent = false
            let follower = after.upcoming(1).first
            if modes.isShuffled, let follower, !isLeft(follower) { startNextRound() }
            current = follower == item ? nil : follower
        }
        drop(item)
        if current != nil { return true }
        current = order.first
        return false
    }

    /// Moves the item at `index` to index `target` of the list. The shuffled order is not affected.
    package mutating func move(from index: Int, to target: Int) {
        guard items.indices.contains(index) else { return }
        let item = items.remove(at: index)
        items.insert(item, at: min(max(0, target), items.count))
    }

    /// Replaces an item. If it is the current one, the new one becomes current.
    package mutating func replace(_ item: PlaylistItemID, with other: PlaylistItemID) {
        func replaced(_ list: [PlaylistItemID]) -> [PlaylistItemID] { list.map { $0 == item ? other : $0 } }
        items = replaced(items)
        round = replaced(round)
        nextRound = nextRound.map(replaced)
        if current == item { current = other }
    }

    /// Replaces the list with `list`. The current item stays current if it is in it.
    package mutating func replaceAll(with list: [PlaylistItemID], current wanted: PlaylistItemID? = nil) {
        let kept = wanted ?? current
        items = list
        current = kept.flatMap { list.contains($0) ? $0 : nil } ?? list.first
        nextRound = nil
        if modes.isShuffled { reshuffle() }
    }

    /// Makes an item current. Shuffled, it plays next, and the rest of the round is discarded.
    package mutating func select(_ item: PlaylistItemID) {
        guard items.contains(item), item != current else { return }
        if modes.isShuffled {
            round.removeAll { $0 == item }
            round.insert(item, at: current.flatMap { round.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        current = item
    }

    /// Goes back to the result of ``preceding()``.
    package mutating func stepBack() { current = preceding() ?? current }

    /// Changes the modes.
    package mutating func setModes(_ modes: PlaylistModes) {
        let wasShuffled = self.modes.isShuffled
        self.modes = modes
        if modes.isShuffled, !wasShuffled { reshuffle() }
        if !modes.isShuffled {
            round = []
            nextRound = nil
        }
    }

    /// Turns shuffle on, in an order determined by `seed`, or off.
    package mutating func setShuffle(_ isOn: Bool, seed: UInt64) {
        random = SplitMix64(seed: seed)
        var modes = self.modes
        modes.isShuffled = isOn
        self.modes.isShuffled = false
        setModes(modes)
    }

    // MARK: Order

    /// The items that follow the current one, up to `count`.
    package mutating func upcoming(_ count: Int) -> [PlaylistItemID] {
        guard let current, !modes.stopsAfterCurrent else { return [] }
        if repeatsItem { return modes.consumes ? [] : Array(repeating: current, count: count) }
        if modes.isSingle { return [] }
        let order = self.order
        guard let place = order.firstIndex(of: current) else { return [] }
        var list = Array(order[(place + 1)...].prefix(count))
        if modes.repeat == .off { return list }
        let left = modes.consumes ? Array(order[..<place]) : order
        if modes.consumes { return Array((list + left).prefix(count)) }
        while list.count < count, !order.isEmpty {
            // The round after the next is drawn only when it becomes the next: until then the next one stands for it.
            list += modes.isShuffled ? drawNextRound() : order
        }
        return Array(list.prefix(count))
    }

    /// Whether the current item repeats indefinitely.
    private var repeatsItem: Bool { modes.repeat == .one || (modes.isSingle && modes.repeat == .all) }

    /// The result of a skip: ignores single mode and repetition of one item.
    package mutating func following() -> PlaylistItemID? {
        var plain = self
        plain.modes.isSingle = false
        plain.modes.stopsAfterCurrent = false
        if modes.repeat == .one { plain.modes.repeat = .off }
        let item = plain.upcoming(1).first
        nextRound = plain.nextRound
        random = plain.random
        return item
    }

    /// The result of a skip back.
    package func preceding() -> PlaylistItemID? {
        guard let current, let place = order.firstIndex(of: current) else { return nil }
        if place > 0 { return order[place - 1] }
        return modes.repeat == .all && !modes.isShuffled ? order.last : nil
    }

    /// Advances to the result of ``following()``.
    ///
    /// - Returns: whether there was one.
    package mutating func stepForward() -> Bool {
        guard let next = following() else { return false }
        let played = current
        enter(next)
        if modes.consumes, let played, played != next { drop(played) }
        return true
    }

    /// Returns to the beginning, after the last item was played.
    mutating func rewind() {
        if modes.isShuffled { startNextRound() }
        current = order.first
    }

    /// Advances to the item that follows automatically; at the end there is none, and the current one stays.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func advance() -> Bool {
        guard let next = upcoming(1).first else { return false }
        let played = current
        if !repeatsItem { enter(next) }
        if modes.consumes, let played, played != next { drop(played) }
        return true
    }

    /// Ends playback after the current item: the one that would have followed becomes current.
    package mutating func finish() {
        let stopped = modes.stopsAfterCurrent || modes.isSingle
        modes.stopsAfterCurrent = false
        let played = current
        let next = stopped ? following() : nil
        if let next { enter(next) }
        if modes.consumes, let played, played != next { drop(played) }
        if next == nil { rewind() }
    }

    private mutating func drop(_ item: PlaylistItemID) {
        items.removeAll { $0 == item }
        round.removeAll { $0 == item }
        nextRound?.removeAll { $0 == item }
        if current == item { current = nil }
    }

    private mutating func enter(_ item: PlaylistItemID) {
        if modes.isShuffled, !isLeft(item) { startNextRound() }
        current = item
    }

    /// Whether an item comes after the current one in this round.
    private func isLeft(_ item: PlaylistItemID) -> Bool {
        guard let current, let place = round.firstIndex(of: current), let other = round.firstIndex(of: item) else {
            return false
        }
        return other > place
    }

    private mutating func drawNextRound() -> [PlaylistItemID] {
        if let nextRound { return nextRound }
        var drawn = items.shuffled(using: &random)
        // The last item of one round does not begin the next.
        if drawn.count > 1, drawn.first == round.last { drawn.swapAt(0, drawn.count - 1) }
        nextRound = drawn
        return drawn
    }

    private mutating func startNextRound() {
        round = drawNextRound()
        nextRound = nil
    }

    /// Draws a new order, the current item first.
    private mutating func reshuffle() {
        nextRound = nil
        round = items.filter { $0 != current }.shuffled(using: &random)
        if let current { round.insert(current, at: 0) }
    }
}
