import BarlineDSP
import BarlineTime
import Foundation

/// Why words don't say a test signal.
package struct TestSignalProblem: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    package let description: String
}

extension TestSignal {
    /// The frequencies of sines, in hertz.
    private static let frequencies = 1.0...96_000
    /// How many clicks there may be in a minute.
    private static let clicks = 1.0...6_000
    /// The peak levels, in dBFS.
    private static let levels = -120.0...0
    /// The peak level where none is said: that of a line-up tone.
    private static let usualLevel = -20.0

    /// The signal that words say: `silence`, `sine:440`, `sine:440:-6`, `noise:-12` or `click:120`; `nil` where they say
    /// none, but are the name of a file.
    ///
    /// - Parameters:
    ///   - words: the words.
    ///   - sampleRate: the sample rate, of which a sine has less than half; `nil` where it is not known yet.
    /// - Throws: ``TestSignalProblem`` in words.
    package init?(words: String, below sampleRate: SampleRate? = nil) throws(TestSignalProblem) {
        let parts = words.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let form: Form
        let levelPlace: Int
        switch parts[0] {
        case "silence": (form, levelPlace) = (.silence, parts.count)
        case "noise": (form, levelPlace) = (.noise, 1)
        case "sine":
            let hertz = try TestSignal.number(parts, 1, TestSignal.frequencies, "a sine's frequency in hertz", 440)
            if let sampleRate, hertz >= sampleRate.hertz / 2 {
                throw TestSignalProblem(
                    description: "a sine's frequency is below half of the sample rate, which is \(sampleRate)")
            }
            (form, levelPlace) = (.sine(hertz: hertz), 2)
        case "click":
            let count = try TestSignal.number(parts, 1, TestSignal.clicks, "the clicks in a minute", 60)
            (form, levelPlace) = (.click(perMinute: count), 2)
        default: return nil
        }
        let level = try TestSignal.number(
            parts, levelPlace, TestSignal.levels, "the peak level in dBFS", TestSignal.usualLevel)
        if parts.count > levelPlace + 1 || (form == .silence && parts.count > 1) {
            throw TestSignalProblem(description: "there is more than a \(parts[0]) has")
        }
        self.init(form, peak: Float(pow(10, level / 20)))
    }

    private static func number(
        _ parts: [String], _ place: Int, _ range: ClosedRange<Double>, _ what: String, _ usual: Double
    ) throws(TestSignalProblem) -> Double {
        guard place < parts.count else { return usual }
        guard let number = Double(parts[place]), range.contains(number) else {
            let bounds = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
            throw TestSignalProblem(description: "\(what) is a number from \(bounds): \"\(parts[place])\" is not")
        }
        return number
    }
}
