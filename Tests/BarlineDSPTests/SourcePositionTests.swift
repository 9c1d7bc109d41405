import BarlineDSP
import Testing

@Suite("Source position")
struct SourcePositionTests {
    @Test(
        "After 24 hours of steps the position is exact to a millionth of a frame",
        arguments: [1.0 / 3, 0.918_75, 1.0594630943592953, 7.77])
    func day(rate: Double) {
        let count: Int64 = 24 * 3_600 * 192_000
        let position = SourcePosition(0.0).advanced(by: SourcePosition(rate), times: count)
        // The step is a Double, a fraction with a power of two below it: whole and rest in 128-bit integers.
        let scaled = Int128(rate * 0x1p60)
        let product = scaled * Int128(count)
        let whole = Int64(product >> 60)
        let rest = Double(Int64(product & (1 << 60 - 1))) * 0x1p-60
        #expect(abs(Double(position.whole - whole) + Double(position.fraction) * 0x1p-64 - rest) < 1e-6)
    }

    @Test(
        "A Double becomes the position it stands for, whole part and fraction",
        arguments: [0.0, 0.5, -0.4, -1, 123_456.789, -1e-17, 1e12 + 0.25])
    func conversion(frames: Double) {
        #expect(abs(SourcePosition(frames).frames - frames) < 1e-9)
        #expect(SourcePosition(frames).whole <= Int64(frames.rounded(.up)))
    }

    @Test("Noise of arithmetic is snapped to the whole frame")
    func snapping() {
        #expect(SourcePosition(snapping: 95_999.999_999_9).fraction == 0)
        #expect(SourcePosition(snapping: 95_999.999_999_9).whole == 96_000)
        #expect(SourcePosition(snapping: 0.25).frames == 0.25)
    }
}
