import BarlineDSP

/// The order in which the items of a playlist are played, and what edits make of it. A pure value.
///
/// There is always a current item where there is any at all. ``upcoming(_:)`` is what follows it; nothing in it is
/// decided anew later, so that what it gave can be enqueued ahead.
package struct PlaylistQueue: Sendable, Equatable {
    /// The items, as they are listed.
    package private(set) var items: [PlaylistItemID] = []
    /// The item that plays, or would.
    package private(set) var current: PlaylistItemID?
    /// The modes.
    package private(set) var modes = PlaylistModes()

    /// The order of playing of this round, where items are shuffled; the current item's place parts what was played.
    private var round: [PlaylistItemID] = []
    /// The order of the next round, as far as anybody has asked.
    private var nextRound: [PlaylistItemID]?
    private var random: SplitMix64

    /// An empty queue. Whatever is random follows from `seed`.
    package init(seed: UInt64 = 0) { random = SplitMix64(seed: seed) }

    /// Whether there is a current item where there is any, each item is there once, and each round that is drawn has all of them. O(*n*) in the items.
    package func checkInvariants() -> Bool {
        let all = Set(items)
        func isRound(_ list: [PlaylistItemID]) -> Bool { list.count == items.count && Set(list) == all }
        guard all.count == items.count else { return false }
        if let current { guard all.contains(current) else { return false } } else if !items.isEmpty { return false }
        return modes.isShuffled ? isRound(round) && nextRound.map(isRound) ?? true : round.isEmpty && nextRound == nil
    }

    /// The place of an item in the list.
    package func index(of item: PlaylistItemID) -> Int? { items.firstIndex(of: item) }

    private var order: [PlaylistItemID] { modes.isShuffled ? round : items }

    // MARK: Edits

    /// Puts an item into the list. Shuffled, it comes at random among what has not been played yet.
    package mutating func insert(_ item: PlaylistItemID, at index: Int) {
        items.insert(item, at: min(max(0, index), items.count))
        if current == nil { current = item }
        guard modes.isShuffled else { return }
        let played = current.flatMap { round.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        round.insert(item, at: round.isEmpty ? 0 : Int.random(in: played...max(played, round.count), using: &random))
        if let count = nextRound?.count { nextRound?.insert(item, at: Int.random(in: 0...count, using: &random)) }
    }

    /// Takes an item out of the list. Where it is the current one, the one that follows is current, or else the first.
    ///
    /// - Returns: whether there is one to go on with.
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

    /// Puts the item at `index` to the place `target` of the list. The order of a shuffle is not touched by that.
    package mutating func move(from index: Int, to target: Int) {
        guard items.indices.contains(index) else { return }
        let item = items.remove(at: index)
        items.insert(item, at: min(max(0, target), items.count))
    }

    /// Puts another item in the place of one. Where it is the current one, the other one is.
    package mutating func replace(_ item: PlaylistItemID, with other: PlaylistItemID) {
        func replaced(_ list: [PlaylistItemID]) -> [PlaylistItemID] { list.map { $0 == item ? other : $0 } }
        items = replaced(items)
        round = replaced(round)
        nextRound = nextRound.map(replaced)
        if current == item { current = other }
    }

    /// Makes `list` the list. The current item stays current where it is in it.
    package mutating func replaceAll(with list: [PlaylistItemID], current wanted: PlaylistItemID? = nil) {
        let kept = wanted ?? current
        items = list
        current = kept.flatMap { list.contains($0) ? $0 : nil } ?? list.first
        nextRound = nil
        if modes.isShuffled { reshuffle() }
    }

    /// Makes an item the current one. Shuffled, it is played next, and what was left of the round is left.
    package mutating func select(_ item: PlaylistItemID) {
        guard items.contains(item), item != current else { return }
        if modes.isShuffled {
            round.removeAll { $0 == item }
            round.insert(item, at: current.flatMap { round.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        current = item
    }

    /// Goes back to what ``preceding()`` gives.
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

    /// Turns a shuffle on, in an order that follows from `seed`, or off.
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
            // The round after the next one is decided when it is the next one: until then it is as the next one.
            list += modes.isShuffled ? drawNextRound() : order
        }
        return Array(list.prefix(count))
    }

    /// Whether the current item is played over and over.
    private var repeatsItem: Bool { modes.repeat == .one || (modes.isSingle && modes.repeat == .all) }

    /// What `next` leads to: as if neither single nor repetition of one item were on.
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

    /// What `previous` leads to.
    package func preceding() -> PlaylistItemID? {
        guard let current, let place = order.firstIndex(of: current) else { return nil }
        if place > 0 { return order[place - 1] }
        return modes.repeat == .all && !modes.isShuffled ? order.last : nil
    }

    /// Advances to what ``following()`` gives.
    ///
    /// - Returns: whether there was anything.
    package mutating func stepForward() -> Bool {
        guard let next = following() else { return false }
        let played = current
        enter(next)
        if modes.consumes, let played, played != next { drop(played) }
        return true
    }

    /// Goes back to the beginning, after the last item was played.
    package mutating func rewind() {
        if modes.isShuffled { startNextRound() }
        current = order.first
    }

    /// Goes on to the item that follows by itself; at the end there is none, and the current one stays.
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

    /// Ends playing after the current item: what would have followed is current.
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
        // What ended one round does not begin the next.
        if drawn.count > 1, drawn.first == round.last { drawn.swapAt(0, drawn.count - 1) }
        nextRound = drawn
        return drawn
    }

    private mutating func startNextRound() {
        round = drawNextRound()
        nextRound = nil
    }

    /// Draws the order anew, the current item first.
    private mutating func reshuffle() {
        nextRound = nil
        round = items.filter { $0 != current }.shuffled(using: &random)
        if let current { round.insert(current, at: 0) }
    }
}
