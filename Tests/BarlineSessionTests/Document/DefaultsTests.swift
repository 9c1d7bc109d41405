import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// What a field is where the file does not say.
@Suite("Defaults of a session", .fewAtATime)
struct DefaultsTests {
    @Test("A file with nothing but its version is an empty session")
    func emptySession() throws {
        let document = try SessionFolder().document(#"{"barline": 1}"#)
        #expect(document.name == "Untitled")
        #expect(document.tempo == 120)
        #expect(document.timeSignature == TimeSignature(4, 4))
        #expect(document.launchQuantization == .bars(1))
        #expect(document.firstLaunch == .afterOnePeriod)
        #expect(document.snapTolerance == 0.02)
        #expect(document.masterGain == 0)
        #expect(document.tracks.isEmpty)
        #expect(document.scenes.isEmpty)
        #expect(document.rowCount == 0)
        #expect(document.outputs == ["main"])
    }

    @Test("An empty session can be played, and is silent")
    func emptySessionPlays() async throws {
        let contents = try await SessionFolder().render(#"{"barline": 1}"#, script: "", frames: 4800)
        #expect(contents.frameCount == 4800)
        #expect(contents.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("A track needs an id only")
    func track() throws {
        let document = try SessionFolder().document(#"{"barline": 1, "tracks": [{"id": "drums"}]}"#)
        let track = try #require(document.tracks.first)
        #expect(track == TrackDocument(id: "drums", name: "drums"))
        #expect(track.gain == 0 && track.pan == 0 && !track.mute && !track.solo)
        #expect(track.output == "main")
        #expect(track.clips.isEmpty)
    }

    @Test("A clip needs an id and a file only")
    func clip() throws {
        let document = try SessionFolder().document(
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav"}]}]}"#)
        let clip = try #require(document.tracks.first?.clips.first)
        #expect(clip == ClipDocument(id: "a", name: "a", file: "a.wav", slot: 0))
        #expect(clip.bpm == nil && clip.beats == nil)
        #expect(clip.start == 0 && clip.end == nil)
        #expect(clip.gain == 0)
        #expect(clip.loop)
        #expect(clip.playback == .repitch && clip.transpose == 0 && clip.onsets == nil)
        #expect(clip.launchMode == .trigger)
        #expect(clip.startPosition == .fromStart)
        #expect(clip.quantization == nil && clip.color == nil)
        #expect(clip.fadeIn == nil && clip.fadeOut == nil)
    }

    @Test("Clips without a slot fill the rows in their order")
    func slots() throws {
        let document = try SessionFolder().document(
            """
            {"barline": 1, "tracks": [{"id": "t", "clips": [
              {"id": "a", "file": "a.wav"}, {"id": "b", "file": "b.wav"}, {"id": "c", "file": "c.wav", "slot": 5}]}]}
            """)
        #expect(document.tracks.first?.clips.map(\.slot) == [0, 1, 5])
        #expect(document.rowCount == 6)
    }

    @Test("A scene needs nothing")
    func scene() throws {
        let document = try SessionFolder().document(#"{"barline": 1, "scenes": [{}]}"#)
        #expect(document.scenes == [SceneDocument(name: "")])
        #expect(document.scenes.first?.tempo == nil)
    }

    @Test("A null is like a missing key, but for gains, where it is silence")
    func nulls() throws {
        let document = try SessionFolder().document(
            """
            {"barline": 1, "name": null, "tempo": null, "timeSignature": null, "launchQuantization": null,
             "firstLaunch": null, "snapTolerance": null, "master": {"gain": null}, "scenes": null,
             "tracks": [{"id": "t", "name": null, "gain": null, "pan": null, "mute": null, "output": null,
               "clips": [{"id": "a", "file": "a.wav", "slot": null, "end": null, "gain": null, "loop": null,
                 "playback": null, "launchMode": null, "startPosition": null, "fadeIn": null, "fadeOut": null}]}]}
            """)
        var expected = SessionDocument()
        expected.masterGain = -.infinity
        var track = TrackDocument(id: "t", name: "t")
        track.gain = -.infinity
        var clip = ClipDocument(id: "a", name: "a", file: "a.wav", slot: 0)
        clip.gain = -.infinity
        track.clips = [clip]
        expected.tracks = [track]
        #expect(document == expected)
    }
}
