import Foundation
import Testing

/// Builds in which every part says after each block whether it agrees with itself.
@Suite("Assertions", .enabled(if: ProcessInfo.processInfo.environment["BARLINE_ASSERTIONS"] != nil))
struct AssertionTests {
    @Test("They are looked at in an optimised build that asks for them")
    func areOn() {
        var isLookedAt = false
        func look() -> Bool {
            isLookedAt = true
            return true
        }
        assert(look())
        #expect(isLookedAt)
    }
}
