import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// The session that the description of the format shows.
@Suite("The format's own example", .fewAtATime)
struct ExampleTests {
    static let text = """
        {
          "barline": 1,
          "name": "Set one",
          "tempo": 120.0,
          "timeSignature": "4/4",
          "launchQuantization": "1 bar",
          "firstLaunch": "afterOnePeriod",
          "snapTolerance": 0.02,
          "master": {"gain": 0.0},
          "tracks": [
            {"id": "drums", "name": "Drums", "gain": 0.0, "pan": 0.0, "mute": false, "solo": false, "output": "main",
             "clips": [
               {"id": "amen", "name": "Amen", "file": "loops/amen.flac", "slot": 0,
                "bpm": 136.7, "beats": 16, "start": 0, "end": null, "gain": 0.0, "loop": true,
                "playback": "repitch", "launchMode": "trigger", "startPosition": "fromStart",
                "quantization": null, "color": "#d97706"}]}],
          "scenes": [{"name": "Intro", "tempo": null}],
          "stems": [{"id": "bass", "name": "Bass", "file": "stems/bass.wav", "gain": -6.0, "pan": 0.0, "mute": false,
                     "offset": 0}],
          "playlist": [{"id": "p1", "file": "interval/one.flac", "title": null}],
          "metronome": {"enabled": false, "gain": 0.0, "accentFrequency": 1200, "beatFrequency": 800, "output": "main"}
        }
        """

    @Test("Every value is read")
    func values() throws {
        let document = try SessionFolder().document(ExampleTests.text)
        #expect(document.name == "Set one")
        #expect(document.tempo == 120)
        #expect(document.scenes.map(\.name) == ["Intro"])
        let track = try #require(document.tracks.first)
        #expect(track.id == "drums" && track.name == "Drums" && track.output == "main")
        let clip = try #require(track.clips.first)
        #expect(clip.id == "amen" && clip.name == "Amen" && clip.file == "loops/amen.flac")
        #expect(clip.bpm == 136.7 && clip.beats == 16)
        #expect(clip.color == "#d97706")
    }

    @Test("What belongs to later versions is kept")
    func rest() throws {
        let document = try SessionFolder().document(ExampleTests.text)
        #expect(document.rest.isEmpty)
        #expect(document.playlist.map(\.file) == ["interval/one.flac"])
    }

    @Test("Saved and read again, it is the same")
    func roundTrip() throws {
        let folder = try SessionFolder()
        let document = try folder.document(ExampleTests.text)
        try document.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path) == document)
    }

    @Test(
        "Every word of the format is understood",
        arguments: [
            "none", "1/16t", "1/16", "1/16.", "1/8t", "1/8", "1/8.", "1/4t", "1/4", "1/4.", "1/2t", "1/2", "1/2.",
            "1 bar", "2 bars", "4 bars", "8 bars",
        ])
    func quantizations(word: String) throws {
        let folder = try SessionFolder()
        let document = try folder.document(#"{"barline": 1, "launchQuantization": "\#(word)"}"#)
        #expect(document.launchQuantization.description == word)
    }
}
