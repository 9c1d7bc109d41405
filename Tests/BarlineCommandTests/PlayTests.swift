import BarlineTestSupport
import Foundation
import Testing

/// `barline play`.
@Suite("barline play")
struct PlayTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, frames) in [24_001, 12_000].enumerated() {
            var random = TestRandom(seed: UInt64(index))
            try folder.write(
                index == 0 ? "one.wav" : "two.wav", WaveFile((0..<frames).map { _ in 0.25 * random.amplitude() }).bytes)
        }
        return folder
    }

    @Test("Files are joined to the last bit, and the file ends with the last one")
    func join() throws {
        let folder = try folder()
        let files = ["one.wav", "two.wav", "one.wav"].map(folder.path)
        let outcome = try Barline.run(
            ["play"] + files + ["--output", folder.path("all.wav"), "--events", folder.path("events.jsonl"), "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sources = try files.flatMap { try WaveContents(path: $0).channels[0] }
        #expect(try WaveContents(path: folder.path("all.wav")).channels == [sources, sources])
        let events = try folder.text("events.jsonl").split(separator: "\n").filter { !$0.contains("itemTime") }
        #expect(events.last == #"{"event":"playlistEnded","frame":60002}"#)
        #expect(events.contains(#"{"event":"itemStarted","frame":24001,"item":"p2"}"#))
    }

    @Test("Crossfade, repetition and duration are as asked for")
    func options() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "play", folder.path("one.wav"), folder.path("two.wav"), "--output", folder.path("all.wav"), "--crossfade",
            "0.1", "--repeat", "all", "--duration", "2", "--events", folder.path("events.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try WaveContents(path: folder.path("all.wav")).frameCount == 96_000)
        let starts = try folder.text("events.jsonl").split(separator: "\n").filter { $0.contains("itemStarted") }
        let frames = [0, 19_201, 26_401, 45_602, 52_802, 72_003, 79_203]
        #expect(starts.count == frames.count)
        for (line, frame) in zip(starts, frames) { #expect(line.contains("\"frame\":\(frame),"), "\(line)") }
    }

    @Test("Live, it ends with the last item; what can't be played is told and left out")
    func live() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "play", folder.path("none.wav"), folder.path("two.wav"), folder.path("two.wav"), "--backend", "null",
            "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("none.wav"))
        #expect(outcome.output.contains(#"{"event":"itemSkipped","frame":0,"item":"p1","#))
        #expect(outcome.output.contains(#"{"event":"itemStarted","frame":12000,"item":"p3"}"#))
        #expect(outcome.output.contains(#"{"event":"playlistEnded","frame":24000}"#), "\(outcome.output)")
    }

    @Test("The list is edited from standard input while it plays")
    func edited() throws {
        let folder = try folder()
        let insertion = #"{"do": "playlist", "action": "insert", "index": 1, "file": "\#(folder.path("two.wav"))"}"#
        let outcome = try Barline.run(
            ["play", folder.path("one.wav"), "--backend", "null", "--json"], input: insertion + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#"{"event":"itemStarted","frame":24001,"item":"p2"}"#), "\(outcome.output)")
    }

    @Test(
        "Wrong usage is told as such",
        arguments: [
            [], ["one.wav", "--crossfade", "-1"], ["one.wav", "--repeat", "often"], ["one.wav", "--seed", "1"],
            ["one.wav", "--repeat", "all", "--output", "x.wav"], ["one.wav", "--duration", "0"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try Barline.run(["play"] + arguments).status == 64)
    }
}
