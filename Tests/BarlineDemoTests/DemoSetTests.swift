import BarlineDemo
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// The loops that the program brings along.
@Suite("The demo set")
struct DemoSetTests {
    @Test("It has at least eight loops at four tempos or more, on tracks and scenes that exist")
    func contents() {
        let loops = DemoSet.loops
        #expect(loops.count >= 8)
        #expect(Set(loops.map(\.bpm)).count >= 4)
        #expect(Set(loops.map(\.id)).count == loops.count)
        let tracks = Set(DemoSet.tracks.map(\.id))
        for loop in loops {
            #expect(tracks.contains(loop.track))
            #expect(DemoSet.sceneNames.indices.contains(loop.slot))
        }
    }

    @Test("A loop is as many frames as its beats take, the same every time, seamless, and not clipped")
    func loops() throws {
        for loop in DemoSet.loops {
            let (left, right) = loop.render()
            let exact = Double(loop.beats) * 60 / loop.bpm * Double(loop.sampleRate)
            #expect(Double(left.count) == exact, "\(loop.id)")
            #expect(right.count == left.count, "\(loop.id)")
            let again = loop.render()
            #expect(again.left == left && again.right == right, "\(loop.id)")
            for channel in [left, right] {
                let peak = channel.reduce(0) { max($0, abs($1)) }
                #expect(peak < 1 && peak > 0.01, "\(loop.id)")
                #expect(seam(channel) <= 1.5 * roughest(channel), "\(loop.id)")
            }
        }
    }

    /// The step from the last frame to the first.
    private func seam(_ channel: [Float]) -> Float { abs(channel[0] - channel[channel.count - 1]) }

    /// The largest step within 10 ms of either end, the seam left out: a drum on the first beat is no click.
    private func roughest(_ channel: [Float]) -> Float {
        let count = 480
        let head = (1..<count).map { abs(channel[$0] - channel[$0 - 1]) }
        let tail = (channel.count - count..<channel.count).map { abs(channel[$0] - channel[$0 - 1]) }
        return (head + tail).max() ?? 0
    }

    @Test("Written twice, the files are the same, and they are what the session names")
    func files() async throws {
        let folder = try TemporaryFolder()
        let first = try DemoSession.write(to: folder.path("one"))
        try DemoSession.write(to: folder.path("two"))
        #expect(first == folder.path("one/demo.barline"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("one")).sorted()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("two")).sorted() == files)
        for file in files where file != "loops" {
            #expect(try folder.bytes("one/\(file)") == folder.bytes("two/\(file)"), "\(file)")
        }
        let document = try SessionDocument(path: first)
        #expect(document == DemoSession.document)
        let named = Set(document.tracks.flatMap(\.clips).map(\.file))
        #expect(named == Set(files.filter { $0.hasSuffix(".wav") }))
        let player = try await SessionPlayer(document, path: first)
        #expect(player.warnings.isEmpty)
        for loop in DemoSet.loops {
            let (left, right) = loop.render()
            let file = try WaveContents(path: folder.path("one/loops/\(loop.id).wav"))
            #expect(file.channelCount == (left == right ? 1 : 2), "\(loop.id)")
            #expect((left == right) == (loop.track == "bass"), "\(loop.id)")
        }
    }

    @Test("Its tour plays every scene, and never to the limit")
    func tour() async throws {
        let folder = try TemporaryFolder()
        let path = try DemoSession.write(to: folder.path("set"))
        let script = try PerformanceScript(path: folder.path("set/tour.jsonl"))
        let player = try await SessionPlayer(try SessionDocument(path: path), path: path)
        let output = OfflineRender.Output(path: folder.path("tour.wav"), eventsPath: folder.path("events"))
        let render = try OfflineRender(
            player, script: script, frames: 62 * 48_000, blockFrames: 4096, output: output)
        #expect(try render.run().warnings.isEmpty)
        let started = Set(
            try JSONLines.events(try folder.text("events"), of: "clipStarted").compactMap { $0.text("clip") })
        #expect(started == Set(DemoSet.loops.map(\.id)))
        let mix = try WaveContents(path: folder.path("tour.wav"))
        #expect(mix.channels.allSatisfy { $0.allSatisfy { abs($0) < 1 } })
    }
}
