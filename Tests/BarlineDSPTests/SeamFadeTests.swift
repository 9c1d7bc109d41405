import BarlineDSP
import BarlineTime
import Testing

@Suite("Seam fade")
struct SeamFadeTests {
    @Test("Loops whose ends meet need none: whole cycles, noise, drums, and anything too short to be a loop")
    func none() {
        let cycles = SampleBuffer(left: TestSound.sine(1.0 / 100, frames: 48_000), sampleRate: .standard)
        #expect(SeamFade(of: cycles, region: 0..<48_000) == nil)
        let noise = SampleBuffer(left: TestSound.noise(48_000, seed: 1), sampleRate: .standard)
        #expect(SeamFade(of: noise, region: 0..<48_000) == nil)
        let saw = SampleBuffer(left: (0..<500).map { Float($0) / 500 }, sampleRate: .standard)
        #expect(SeamFade(of: saw, region: 0..<500) == nil)
    }

    @Test("A loop cut within a cycle is blended into what leads up to its start, over 5 ms")
    func blend() throws {
        let samples = TestSound.sine(1.0 / 100, frames: 48_000)
        let buffer = SampleBuffer(left: samples, right: samples, sampleRate: .standard)
        let region = 10_000..<30_025
        let seam = try #require(SeamFade(of: buffer, region: region))
        #expect(seam.left.count == 240)
        #expect(seam.right == seam.left)
        var tail = Array(samples[(region.upperBound - 300)..<(region.upperBound - 240)])
        tail += seam.left
        tail.append(samples[region.lowerBound])
        // The sine's own step is 2π/100, the blend adds at most 2/240.
        for (one, next) in zip(tail, tail.dropFirst()) { #expect(abs(next - one) < 0.0628 + 0.0084) }
        // At its end the blend is what comes before the start.
        #expect(abs(try #require(seam.left.last) - samples[region.lowerBound - 1]) < 1e-6)
    }

    @Test("Where nothing comes before the start, the tail is led to the head all the same")
    func mirrored() throws {
        let samples = (0..<48_000).map { Float($0) / 48_000 }
        let buffer = SampleBuffer(left: samples, sampleRate: .standard)
        let seam = try #require(SeamFade(of: buffer, region: 0..<48_000))
        #expect(seam.right == nil)
        #expect(abs(try #require(seam.left.last) - samples[0]) < 0.001)
        #expect(abs(try #require(seam.left.first) - samples[48_000 - 240]) < 0.005)
    }
}
