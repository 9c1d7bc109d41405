// Time-stretch beside the peers that are installed (rubberband, soundstretch), in one run: what a frame costs, and
// where 24 known hits of a swung loop land.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let turnCount = isQuick ? 4 : 20
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-stretch-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// What came out, and the processor time that it took, in seconds.
struct Result {
    let samples: [Float]
    let seconds: Double
}

/// Renders the loop with Barline at `rate` of its tempo.
func barline(rate: Double) throws -> Result {
    let engine = Engine(
        EngineConfiguration(
            trackCount: 1, voiceCount: 4, tempo: Tempo(clamping: 120 * rate), launchQuantization: .none,
            firstLaunch: .immediate))
    let clip = try engine.launcher.load(
        SampleBuffer(left: loop, right: loop, sampleRate: .standard),
        settings: ClipSettings(track: 0, beats: 12, playback: .stretch, onsets: swung))
    try engine.launcher.launch(clip)
    let frames = Int(Double(turnCount * loopFrames) / rate)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    samples.initialize(repeating: 0, count: 2 * frames)
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
    defer {
        samples.deallocate()
        outputs.deallocate()
    }
    let start = seconds(ofPeers: false)
    var done = 0
    while done < frames {
        let count = min(64, frames - done)
        outputs.initialize(to: samples + done)
        (outputs + 1).initialize(to: samples + frames + done)
        engine.render(AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: count))
        done += count
    }
    return Result(
        samples: Array(UnsafeBufferPointer(start: samples, count: frames)), seconds: seconds(ofPeers: false) - start)
}

/// Runs a program on the loop's turns in a row; `nil` where it is not installed.
func peer(_ command: [String], rate: Double) throws -> Result? {
    let input = folder.appendingPathComponent("in.wav")
    let output = folder.appendingPathComponent("out.wav")
    try wave((0..<turnCount).flatMap { _ in loop }).write(to: input)
    try? FileManager.default.removeItem(at: output)
    let words = command.map {
        switch $0 {
        case "IN": input.path
        case "OUT": output.path
        case "TIME": "\(1 / rate)"
        case "TEMPO": "-tempo=\((rate - 1) * 100)"
        default: $0
        }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = seconds(ofPeers: true)
    try process.run()
    process.waitUntilExit()
    let time = seconds(ofPeers: true) - start
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: output) else { return nil }
    return Result(samples: samples(data), seconds: time)
}

/// The processor time of this program, or of those that it has run.
func seconds(ofPeers: Bool) -> Double {
    var used = tms()
    times(&used)
    let ticks = ofPeers ? used.tms_cutime + used.tms_cstime : used.tms_utime + used.tms_stime
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// A stereo file of 16 bits.
func wave(_ mono: [Float]) -> Data {
    var data = Data()
    func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    data.append(Data("RIFF".utf8))
    add(UInt32(36 + 4 * mono.count))
    data.append(Data("WAVEfmt ".utf8))
    add(UInt32(16))
    for value in [UInt16(1), 2] { add(value) }
    for value in [UInt32(48_000), 192_000] { add(value) }
    for value in [UInt16(4), 16] { add(value) }
    data.append(Data("data".utf8))
    add(UInt32(4 * mono.count))
    for sample in mono {
        let value = Int16((max(-1, min(1, sample)) * 32_767).rounded())
        add(value)
        add(value)
    }
    return data
}

/// The left channel of a stereo file of 16 bits.
func samples(_ data: Data) -> [Float] {
    guard let start = data.range(of: Data("data".utf8)).map({ $0.upperBound + 4 }) else { return [] }
    let bytes = [UInt8](data[start...])
    return (0..<bytes.count / 4).map { index in
        Float(Int16(bitPattern: UInt16(bytes[4 * index]) | UInt16(bytes[4 * index + 1]) << 8)) / 32_767
    }
}

/// How loud it is in the 18 ms before the hits, beside the hit itself, and how much louder or quieter than the source
/// the hit is: the worst of two turns, in dB. Hits that others ring into are left out.
func levels(_ output: [Float], rate: Double) -> (before: Double, hit: Double) {
    func decibels(_ samples: ArraySlice<Float>) -> Double {
        10 * log10(samples.reduce(1e-20) { $0 + Double($1 * $1) } / Double(samples.count))
    }
    var worst = (before: -200.0, hit: 0.0)
    for turn in 1..<3 {
        for hit in swung where hit >= 960 && decibels(loop[hit - 960..<hit]) < -100 {
            let frame = Int((Double(hit + turn * loopFrames) / rate).rounded())
            guard frame + 864 < output.count else { continue }
            let wanted = decibels(loop[hit..<hit + 864])
            worst.before = max(worst.before, decibels(output[frame - 960..<frame - 96]) - wanted)
            worst.hit = max(worst.hit, abs(decibels(output[frame..<frame + 864]) - wanted))
        }
    }
    return worst
}

/// How many frames late the hits of two turns are, by correlation with the hit itself.
func errors(_ output: [Float], rate: Double) -> [Int] {
    (1..<3).flatMap { turn in
        swung.compactMap { hit in
            let frame = Int((Double(hit + turn * loopFrames) / rate).rounded())
            var best = (lag: 0, value: 0.0)
            for lag in -900...900 where frame + lag >= 0 && frame + lag + 700 < output.count {
                var (product, energy) = (0.0, 1e-9)
                for index in 0..<700 {
                    product += Double(loop[hit + index] * output[frame + lag + index])
                    energy += Double(output[frame + lag + index] * output[frame + lag + index])
                }
                if product / energy.squareRoot() > best.value { best = (lag, product / energy.squareRoot()) }
            }
            return best.value > 0 ? best.lag : nil
        }
    }
}

func report(_ name: String, _ result: Result, rate: Double, own: Double) -> Double {
    let cost = result.seconds / Double(result.samples.count) * 1e9
    let errors = errors(result.samples, rate: rate).sorted()
    let median = errors.isEmpty ? 0 : errors[errors.count / 2]
    let worst = errors.map(abs).max() ?? 0
    let level = levels(result.samples, rate: rate)
    let ratio = own > 0 ? String(format: "%.2f", own / cost) : "1"
    let line = [
        name.padding(toLength: 22, withPad: " ", startingAt: 0), String(format: "%7.0f", cost),
        ratio.padding(toLength: 12, withPad: " ", startingAt: 0),
        "\(median) / \(worst)".padding(toLength: 12, withPad: " ", startingAt: 0),
        String(format: "%.0f · %.1f", level.before, level.hit),
    ]
    print("  " + line.joined(separator: "  "))
    return cost
}

let peers: [(String, [String])] = [
    ("Rubber Band R2", ["rubberband", "-q", "-t", "TIME", "IN", "OUT"]),
    ("Rubber Band R3", ["rubberband", "-q", "-3", "-t", "TIME", "IN", "OUT"]),
    ("SoundTouch", ["soundstretch", "IN", "OUT", "TEMPO"]),
]
for rate in isQuick ? [1.25] : [0.8, 1.05, 1.25, 2.0] {
    print(
        "rate \(rate):              ns a frame  Barline / it  hits late by, median / worst frames; before them · their level, dB"
    )
    let own = report("Barline", try barline(rate: rate), rate: rate, own: 0)
    for (name, command) in peers {
        guard let result = try peer(command, rate: rate) else {
            print("  \(name): not installed")
            continue
        }
        _ = report(name, result, rate: rate, own: own)
    }
}

for (count, rate) in [(128, 0.8), (64, 0.8), (64, 1.25)] {
    let launches = try Launches(count: count, rate: rate)
    print(
        "\(count) clips launched on one frame, rate \(rate): \(String(format: "%.0f", 100 * launches.share)) % of a core,"
            + " worst block \(String(format: "%.1f", launches.worst)) × the mean")
}
