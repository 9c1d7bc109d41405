import BarlineFiles
import Foundation

/// A drum kit of a General MIDI sound font, played by fluidsynth, where both are installed.
struct SampledKit {
    /// A drum, as its key on channel 10, and how hard it is hit.
    struct Hit: Hashable {
        let key: UInt8
        let velocity: UInt8
    }

    private static let player = "/usr/bin/fluidsynth"
    private static let font = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
    /// Seconds from one hit to the next, and until the first.
    private static let distance = 2
    private static let rate = 48_000

    /// Whether it can be played here.
    static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: player) && FileManager.default.fileExists(atPath: font)
    }

    /// What each hit sounds like on the kit of `program`, both channels together, from its first frame above -60 dB of
    /// its peak on.
    static func sounds(_ hits: [Hit], program: UInt8) throws -> [Hit: [Double]] {
        let folder = try SessionFolder()
        let (notes, output) = (folder.folder.path("hits.mid"), folder.folder.path("hits.raw"))
        try Data(file(hits, program: program)).write(to: URL(fileURLWithPath: notes))
        let process = try ChildProcess(
            player,
            ["-ni", "-q", "-R", "0", "-C", "0", "-g", "0.5", "-r", "\(rate)", "-T", "raw", "-O", "float", "-F", output]
                + [font, notes])
        guard process.wait(atMost: 30) == 0 else { throw CocoaError(.executableLoad) }
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        var sounds: [Hit: [Double]] = [:]
        for (number, hit) in hits.enumerated() {
            let start = (number + 1) * distance * rate
            let mono = (start..<min(start + distance * rate, samples.count / 2)).map { frame in
                Double(samples[2 * frame]) + Double(samples[2 * frame + 1])
            }
            let peak = mono.reduce(0) { max($0, abs($1)) }
            sounds[hit] = Array(mono.drop { abs($0) <= 0.001 * peak })
        }
        return sounds
    }

    /// A Standard MIDI File of format 0: 1000 ticks a second.
    private static func file(_ hits: [Hit], program: UInt8) -> [UInt8] {
        var track: [UInt8] = [0, 0xc9, program]
        for hit in hits {
            // The distance in two bytes of seven bits, less the tenth of a second for which the key is held.
            let ticks = UInt16(distance * 1_000 - (hit == hits[0] ? 0 : 100))
            track += [0x80 | UInt8(ticks >> 7), UInt8(ticks & 0x7f), 0x99, hit.key, hit.velocity]
            track += [100, 0x89, hit.key, 0]
        }
        // It ends when the last one has died away.
        track += [0x80 | UInt8(distance * 1_000 >> 7), UInt8(distance * 1_000 & 0x7f), 0xff, 0x2f, 0]
        func bytes(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return Array("MThd".utf8) + bytes(6) + [0, 0, 0, 1, 1, 0xf4] + Array("MTrk".utf8) + bytes(track.count) + track
    }
}
