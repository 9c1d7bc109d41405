import BarlineTestNumbers

/// The numbers of these tests.
typealias TestRandom = SeededRandom
