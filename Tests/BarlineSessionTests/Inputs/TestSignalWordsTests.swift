import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

@Suite("Test signals in words", .fewAtATime)
struct TestSignalWordsTests {
    @Test(
        "Words say a signal",
        arguments: [
            ("silence", TestSignal(.silence, peak: 0.1)), ("sine", TestSignal(.sine(hertz: 440), peak: 0.1)),
            ("sine:997", TestSignal(.sine(hertz: 997), peak: 0.1)), ("sine:1.5:0", TestSignal(.sine(hertz: 1.5))),
            ("noise", TestSignal(.noise, peak: 0.1)), ("noise:-40", TestSignal(.noise, peak: 0.01)),
            ("click", TestSignal(.click(perMinute: 60), peak: 0.1)),
            ("click:120:0", TestSignal(.click(perMinute: 120))),
        ])
    func signals(words: String, signal: TestSignal) throws {
        #expect(try TestSignal(words: words) == signal)
        #expect(try TestSignal(words: words, below: .standard) == signal)
    }

    @Test("Other words are files'", arguments: ["take.wav", "./sine", "sine.wav", "Noise", "a:b", "", "sines:440"])
    func files(words: String) throws { #expect(try TestSignal(words: words) == nil) }

    @Test(
        "What is wrong with one is said",
        arguments: [
            ("sine:", #"a sine's frequency in hertz is a number from 1 to 96000: "" is not"#),
            ("sine:a", #"a sine's frequency in hertz is a number from 1 to 96000: "a" is not"#),
            ("sine:0", #"a sine's frequency in hertz is a number from 1 to 96000: "0" is not"#),
            ("sine:440:3", #"the peak level in dBFS is a number from -120 to 0: "3" is not"#),
            ("noise:nan", #"the peak level in dBFS is a number from -120 to 0: "nan" is not"#),
            ("click:1e9", #"the clicks in a minute is a number from 1 to 6000: "1e9" is not"#),
            ("silence:-6", "there is more than a silence has"), ("noise:-6:1", "there is more than a noise has"),
            ("sine:440:-6:1", "there is more than a sine has"),
        ])
    func refused(words: String, problem: String) {
        #expect(throws: TestSignalProblem(description: problem)) { try TestSignal(words: words) }
    }

    @Test("A sine is below half of the sample rate")
    func nyquist() throws {
        #expect(throws: TestSignalProblem.self) { try TestSignal(words: "sine:24000", below: .standard) }
        #expect(try TestSignal(words: "sine:23999", below: .standard) != nil)
    }
}
