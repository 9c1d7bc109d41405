import BarlineTestSupport
import Foundation
import Testing

/// A disk that gives nothing for some seconds, under a real program.
@Suite("Disks that fail for a while", .enabled(if: FaultyDisk.canBeMade))
struct DiskFaultTests {
    enum Streamed: String, CaseIterable { case stems, playlist }

    private static let noise: [Float] = {
        var random = TestRandom(seed: 21)
        return (0..<48_000 * 30).map { _ in Float(random.amplitude()) / 4 }
    }()

    @Test(
        "What is streamed fades out with an underrun, and is back where it belongs", arguments: Streamed.allCases,
        FaultyDisk.Fault.outages)
    func outage(streamed: Streamed, fault: FaultyDisk.Fault) throws {
        let folder = try TemporaryFolder()
        try folder.write("long.wav", WaveFile(DiskFaultTests.noise.map(Double.init)).bytes)
        let key =
            streamed == .stems
            ? #""stems": [{"id": "s", "file": "long.wav"}]"# : #""playlist": [{"id": "s", "file": "long.wav"}]"#
        try folder.write("set.barline", #"{"barline": 1, "name": "Set", \#(key)}"#)
        let disk = try FaultyDisk(for: "long.wav", fault)
        let environment = Barline.environment.merging(disk.environment) { $1 }.merging([
            "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
        ]) { $1 }
        let program = try Program(
            Barline.path, ["run", folder.path("set.barline"), "--backend", "null", "--no-page", "--json"],
            environment: environment)
        defer { program.end() }
        program.send(#"{"do": "record", "on": true}"# + "\n")
        #expect(eventually { program.output.contains(#""ok":true"#) })
        program.send(#"{"do": "\#(streamed.rawValue)", "action": "play"}"# + "\n")
        func has(_ event: String) -> Bool { program.output.contains(#""event":"\#(event)""#) }
        let (starts, dries, recovers) =
            streamed == .stems
            ? ("stemsStarted", "stemsUnderrun", "stemsRecovered")
            : ("itemStarted", "playlistUnderrun", "playlistRecovered")
        #expect(eventually { has(starts) })
        Thread.sleep(forTimeInterval: 1)
        try disk.fail(true)
        // What was read ahead is heard before.
        #expect(eventually(within: 20) { has(dries) })
        Thread.sleep(forTimeInterval: 1)
        try disk.fail(false)
        #expect(eventually(within: 20) { has(recovers) })
        Thread.sleep(forTimeInterval: 1)
        program.send(#"{"do": "record", "on": false}"# + "\n")
        #expect(eventually { program.output.contains(".wav") })
        for event in ["stemsEnded", "itemEnded", "itemSkipped"] { #expect(!has(event)) }
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("data/barline/recordings"))
                .first { $0.hasSuffix(".wav") })
        let heard = try WaveContents(path: folder.path("data/barline/recordings/\(name)")).channels[0]
        try expectWhole(heard, streamed)
    }

    @Test(
        "Reads that give a few bytes, or are broken off by signals, are heard by nobody",
        arguments: FaultyDisk.Fault.nuisances)
    func nuisance(fault: FaultyDisk.Fault) throws {
        let folder = try TemporaryFolder()
        try folder.write("long.wav", WaveFile(DiskFaultTests.noise.prefix(48_000).map(Double.init)).bytes)
        try folder.write(
            "set.barline",
            """
            {"barline": 1, "name": "Set", "launchQuantization": "none",
             "tracks": [{"id": "t", "clips": [{"id": "a", "file": "long.wav", "beats": 4}]}],
             "stems": [{"id": "s", "file": "long.wav"}], "playlist": [{"id": "p", "file": "long.wav"}]}
            """)
        try folder.write(
            "script.jsonl",
            """
            {"at": 0, "do": "launch", "clip": "a"}
            {"at": 0, "do": "stems", "action": "play"}
            {"at": 0.1, "do": "playlist", "action": "play"}
            """)
        func render(_ name: String, _ environment: [String: String] = [:]) throws -> [UInt8] {
            let outcome = try Barline.run(
                [
                    "render", folder.path("set.barline"), "--script", folder.path("script.jsonl"), "--duration", "2",
                    "--output", folder.path(name),
                ], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try folder.bytes(name)
        }
        let whole = try render("whole.wav")
        let disk = try FaultyDisk(for: "long.", fault)
        try disk.fail(true)
        #expect(try render("spoiled.wav", disk.environment) == whole)
    }

    /// Checks that there is sound, silence and sound, all of it where it belongs and none of it cut.
    private func expectWhole(_ heard: [Float], _ streamed: Streamed) throws {
        let first = try #require(heard.firstIndex { abs($0) > 0.01 })
        // Silence longer than sound could be.
        var gap: Range<Int>?
        var start = first
        for index in first..<heard.count where heard[index] != 0 {
            if index - start > 4_800 { gap = start + 1..<index }
            start = index
        }
        let silence = try #require(gap)
        #expect(abs(heard[silence.lowerBound - 1]) < 0.02, "it fades out")
        #expect(abs(heard[silence.upperBound]) < 0.02, "it fades in")
        let noise = DiskFaultTests.noise
        func place(_ frame: Int) -> Int? {
            let peak = heard[frame..<frame + 32].map(abs).max() ?? 0
            return (0..<noise.count - 32).first { candidate in
                let gain = heard[frame] / noise[candidate]
                return gain > 0.1 && gain < 10
                    && (0..<32).allSatisfy { abs(heard[frame + $0] - gain * noise[candidate + $0]) < 1e-4 * peak }
            }
        }
        let before = silence.lowerBound - 4_800
        let after = silence.upperBound + 4_800
        let (early, late) = (try #require(place(before)), try #require(place(after)))
        switch streamed {
        // As if there had been no outage.
        case .stems: #expect(late - early == after - before)
        // It waits where it is: nothing of it is lost but what fades.
        case .playlist: #expect(abs((late - early) - (after - before - silence.count)) < 1_000)
        }
    }
}
