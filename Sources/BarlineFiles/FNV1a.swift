/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo, 1991): the same in every run, for telling things apart and not for
/// trusting them.
package struct FNV1a {
    /// The hash of what was added.
    package private(set) var value: UInt64

    /// The hash of nothing.
    ///
    /// - Parameter basis: where it begins; another one makes another hash.
    package init(basis: UInt64 = 0xCBF2_9CE4_8422_2325) { value = basis }

    /// The hash of a text's bytes.
    package init(_ text: String) {
        self.init()
        add(text.utf8)
    }

    /// Adds a byte, or a word as one.
    package mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01B3 }

    /// Adds bytes one after the other.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        // Bytes that lie together are gone through without asking an iterator of another module for each.
        if bytes.withContiguousStorageIfAvailable({ add(together: $0) }) == nil {
            for byte in bytes { add(UInt64(byte)) }
        }
    }

    private mutating func add(together bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { add(UInt64(byte)) }
    }
}

/// Two hashes of the same words, 128 bits: for telling contents apart.
package struct TwinHash {
    /// The hash of the words.
    package var first = FNV1a()
    /// The hash of the words' bytes in reverse, from another start.
    package var second = FNV1a(basis: 0x6C62_272E_07BB_0142)

    /// The hash of nothing.
    package init() {}

    /// Adds a word to both.
    package mutating func add(_ word: UInt64) {
        first.add(word)
        // A multiplication carries upwards only: the other hash sees the high bits low.
        second.add(word.byteSwapped)
    }
}
