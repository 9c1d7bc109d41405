import BarlineTestNumbers

/// The numbers of these tests.
package typealias TestRandom = SeededRandom
