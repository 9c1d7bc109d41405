/// A table of values by identifier of which copies share what is the same.
///
/// It is a tree of small tables: an edit copies those on the way to what it touches, so that a set of thousands of
/// clips is copied and edited in the time that a few dozen take.
package struct SharedTable<Value: Sendable>: Sendable {
    /// A small table, or sixteen nodes, by four bits of the hash of the key.
    private enum Node: Sendable {
        case leaf(Leaf)
        case branch(Branch)
    }

    private final class Leaf: Sendable {
        let values: [String: Value]

        init(_ values: [String: Value]) { self.values = values }
    }

    private final class Branch: Sendable {
        let nodes: [Node]

        init(_ nodes: [Node]) { self.nodes = nodes }
    }

    private var root = Node.leaf(Leaf([:]))
    /// The number of values.
    package private(set) var count = 0

    /// The most values that a small table has.
    private static var leafSize: Int { 32 }
    private static var branchBits: Int { 4 }

    /// An empty table.
    package init() {}

    /// The value of a key; `nil` takes it away.
    ///
    /// - Complexity: O(log *n*), in a copy as well.
    package subscript(key: String) -> Value? {
        get {
            var (node, hash) = (root, SharedTable.hash(key))
            while true {
                switch node {
                case .leaf(let leaf): return leaf.values[key]
                case .branch(let branch):
                    node = branch.nodes[Int(hash & 15)]
                    hash >>= UInt(SharedTable.branchBits)
                }
            }
        }
        set {
            let isThere = self[key] != nil
            if newValue == nil, !isThere { return }
            count += (newValue == nil ? 0 : 1) - (isThere ? 1 : 0)
            root = SharedTable.setting(
                key, to: newValue, in: root, hash: SharedTable.hash(key), bitsLeft: UInt.bitWidth)
        }
    }

    /// The keys, in no order. O(*n*).
    package var keys: [String] {
        var keys: [String] = []
        keys.reserveCapacity(count)
        forEach { key, _ in keys.append(key) }
        return keys
    }

    /// All of it as one table. O(*n*).
    package var dictionary: [String: Value] {
        var values = [String: Value](minimumCapacity: count)
        forEach { values[$0] = $1 }
        return values
    }

    /// Looks at each value, in no order.
    package func forEach(_ body: (String, Value) -> Void) { SharedTable.forEach(root, body) }

    private static func forEach(_ node: Node, _ body: (String, Value) -> Void) {
        switch node {
        case .leaf(let leaf): for (key, value) in leaf.values { body(key, value) }
        case .branch(let branch): for node in branch.nodes { forEach(node, body) }
        }
    }

    /// The keys whose values are others than in another table, or that only one of the two has, with both values.
    ///
    /// - Complexity: that of the small tables that the two don't share.
    package func changes(since other: SharedTable) -> [(key: String, old: Value?, new: Value?)]
    where Value: Equatable {
        var changes: [(key: String, old: Value?, new: Value?)] = []
        SharedTable.compare(other.root, root, &changes)
        return changes
    }

    private static func compare(
        _ old: Node, _ new: Node, _ changes: inout [(key: String, old: Value?, new: Value?)]
    ) where Value: Equatable {
        switch (old, new) {
        case (.leaf(let old), .leaf(let new)):
            if old !== new { compare(old.values, new.values, &changes) }
        case (.branch(let old), .branch(let new)):
            if old === new { return }
            for (old, new) in zip(old.nodes, new.nodes) { compare(old, new, &changes) }
        case (.leaf, .branch), (.branch, .leaf): compare(dictionary(of: old), dictionary(of: new), &changes)
        }
    }

    private static func compare(
        _ old: [String: Value], _ new: [String: Value], _ changes: inout [(key: String, old: Value?, new: Value?)]
    ) where Value: Equatable {
        for (key, value) in new where old[key] != value { changes.append((key, old[key], value)) }
        for (key, value) in old where new[key] == nil { changes.append((key, value, nil)) }
    }

    private static func dictionary(of node: Node) -> [String: Value] {
        var values: [String: Value] = [:]
        forEach(node) { values[$0] = $1 }
        return values
    }

    private static func hash(_ key: String) -> UInt { UInt(bitPattern: key.hashValue) }

    private static func setting(_ key: String, to value: Value?, in node: Node, hash: UInt, bitsLeft: Int) -> Node {
        switch node {
        case .leaf(let leaf):
            var values = leaf.values
            values[key] = value
            if values.count <= leafSize || bitsLeft < branchBits { return .leaf(Leaf(values)) }
            var parts = [[String: Value]](repeating: [:], count: 1 << branchBits)
            for (key, value) in values {
                // The bits on the way to this node are used up.
                let rest = SharedTable.hash(key) >> UInt(UInt.bitWidth - bitsLeft)
                parts[Int(rest & 15)][key] = value
            }
            return .branch(Branch(parts.map { .leaf(Leaf($0)) }))
        case .branch(let branch):
            var nodes = branch.nodes
            let place = Int(hash & 15)
            nodes[place] = setting(
                key, to: value, in: nodes[place], hash: hash >> UInt(branchBits), bitsLeft: bitsLeft - branchBits)
            return .branch(Branch(nodes))
        }
    }
}
