import CRealtime
import Testing

/// RealtimeSanitizer, when it is linked in, watches every render; this shows that it is awake.
@Suite("Realtime guard")
struct RealtimeGuardTests {
    static var isWatched: Bool { rt_guard_is_active() != 0 }

    @Test(
        "An allocation under the guard ends the process", .enabled(if: isWatched, "RealtimeSanitizer is not linked in"))
    func plantedAllocation() async {
        await #expect(processExitsWith: .failure) {
            let mode = rt_guard_enter()
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)
            samples.initialize(repeating: 1, count: 4_096)
            rt_guard_exit(mode)
            samples.deallocate()
        }
    }

    @Test("The same work outside the guard is nobody's business", .enabled(if: isWatched))
    func unguardedAllocation() async {
        await #expect(processExitsWith: .success) {
            let mode = rt_guard_enter()
            rt_guard_exit(mode)
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)
            samples.initialize(repeating: 1, count: 4_096)
            samples.deallocate()
        }
    }
}
