extension Collection<UInt8> {
    /// The number that big-endian bytes give.
    var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
    /// The number that little-endian bytes give.
    var littleEndian: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
