import BarlineTime
import Testing

@Suite("Quantisation")
struct QuantizationTests {
    /// Every name that a session may have, with its length in quarter notes of 4/4.
    static let lengths: [(String, Double)] = [
        ("none", 0), ("1/32", 0.125), ("1/32t", 0.125 * 2 / 3), ("1/32.", 0.1875), ("1/16", 0.25), ("1/16t", 0.5 / 3),
        ("1/16.", 0.375), ("1/8", 0.5), ("1/8t", 1.0 / 3), ("1/8.", 0.75), ("1/4", 1), ("1/4t", 2.0 / 3), ("1/4.", 1.5),
        ("1/2", 2), ("1/2t", 4.0 / 3), ("1/2.", 3), ("1 bar", 4), ("2 bars", 8), ("4 bars", 16), ("8 bars", 32),
    ]

    @Test("Names are read and written", arguments: lengths)
    func named(name: String, quarters: Double) throws {
        let value = try #require(Quantization(name))
        #expect(value.description == name)
        #expect(abs(value.quarters(in: .common) - quarters) < 1e-15)
    }

    @Test(
        "Anything else is refused",
        arguments: ["", "1", "bar", "1 bars", "3 bars", "1/3", "1/64", "2/4", "1/4tt", "1/4 ", "None"])
    func refused(name: String) { #expect(Quantization(name) == nil) }

    @Test(
        "A length that no name has is written as what it is",
        arguments: [(5, 7), (3, 1), (7, 4), (5, 1), (9, 8), (0, 1), (.max, 3)] as [(Int32, Int32)])
    func unnamed(numerator: Int32, denominator: Int32) throws {
        let value = Quantization.note(numerator: numerator, denominator: denominator)
        let text = value.description
        if let named = Quantization(text) {
            #expect(abs(named.quarters(in: .common) - Double(numerator) / Double(denominator)) < 1e-15, "\(text)")
        } else {
            #expect(text == "\(numerator)/\(denominator) of a quarter note")
        }
    }

    @Test("A bar's line moves with the metre, a beat does not")
    func gridPoint() throws {
        var metre = MetreMap(.common)
        metre.change(atOrAfter: Beat(4), to: "7/8")
        #expect(Quantization.bars(2).boundary(2).beat(in: metre) == Beat(4 + 3 * 3.5))
        #expect(try #require(Quantization("1/4t")).boundary(3).beat(in: metre) == Beat(2))
    }
}
