import BarlineTime
import Foundation
import Testing

@testable import BarlineDSP

/// The memory of the voices that keep the pitch.
@Suite("Memory of stretched voices")
struct StretchMemoryTests {
    /// The share of the whole pages of a voice's sums that the system has allocated.
    private func resident(_ voice: StretchVoice) -> Double {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let first = (Int(bitPattern: voice.sumLeft) + page - 1) / page
        let end = (Int(bitPattern: voice.sumLeft) + 3 * voice.sumCount * MemoryLayout<Float>.stride) / page
        var pages = [UInt8](repeating: 0, count: end - first)
        mincore(UnsafeMutableRawPointer(bitPattern: first * page), (end - first) * page, &pages)
        return Double(pages.filter { $0 & 1 == 1 }.count) / Double(pages.count)
    }

    @Test("Only voices that were prepared take any, and what they hold stays when they are prepared again")
    func prepared() {
        let pool = StretchPool(reserving: 256, sampleRate: .standard)
        for voice in 0..<8 { pool.prepare(voice: voice) }
        #expect((0..<8).allSatisfy { resident(pool.voices[$0]) == 1 })
        #expect((16..<256).allSatisfy { resident(pool.voices[$0]) == 0 })
        let voice = pool.voices[7]
        for frame in 0..<voice.sumCount { voice.sumLeft[frame] = Float(frame) }
        pool.prepare(voice: 7)
        #expect((0..<voice.sumCount).allSatisfy { voice.sumLeft[$0] == Float($0) })
        #expect((0..<voice.sumCount).allSatisfy { pool.voices[20].sumRight[$0] == 0 })
    }
}
