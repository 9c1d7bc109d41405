import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

extension SessionDocument {
    /// The version of the format that this program reads and writes.
    public static let formatVersion = 1

    /// Reads the session file at `path`.
    ///
    /// - Throws: ``SessionError``, which names the key that is wrong.
    public init(path: String) throws(SessionError) {
        let data = try SessionFile.read(path)
        switch JSONText.parse(data) {
        case .success(let value): try self.init(value, file: path)
        case .failure(let error): throw .file(path: path, reason: SessionFile.describe(error))
        }
    }

    /// Reads a session from JSON; `file` is what errors call it.
    public init(_ value: JSONValue, file: String) throws(SessionError) {
        var reader = try ObjectReader(value, file: file, path: "")
        guard reader.value("barline") == .number(Double(SessionDocument.formatVersion)) else {
            throw reader.error("barline", expected: "\(SessionDocument.formatVersion), the version of the format")
        }
        name = try reader.string("name") ?? name
        tempo = try reader.tempo("tempo") ?? tempo
        timeSignature = try reader.timeSignature("timeSignature") ?? timeSignature
        launchQuantization = try reader.quantization("launchQuantization") ?? launchQuantization
        firstLaunch = try reader.word("firstLaunch", default: firstLaunch)
        snapTolerance =
            try reader.number("snapTolerance", "a number from 0 to 0.5") { (0...0.5).contains($0) } ?? snapTolerance
        resyncThreshold =
            try reader.number("resyncThreshold", "milliseconds of at least 0") { $0 >= 0 } ?? resyncThreshold
        importLoudness = try reader.word("importLoudness", default: importLoudness)
        var master = try reader.object("master")
        masterGain = try master.gain("gain")
        limiter = try master.limiter()
        masterRest = master.rest
        for track in try reader.objects("tracks") { tracks.append(try TrackDocument(track)) }
        for scene in try reader.objects("scenes") { scenes.append(try SceneDocument(scene)) }
        for stem in try reader.objects("stems") { stems.append(try StemDocument(stem)) }
        stemSet = try StemSetDocument(try reader.object("stemSet"))
        for marker in try reader.objects("markers") { markers.append(try MarkerDocument(marker)) }
        for item in try reader.objects("playlist") { playlist.append(try PlaylistItemDocument(item)) }
        playlistSettings = try PlaylistSettings(try reader.object("playlistSettings"))
        metronome = try MetronomeDocument(try reader.object("metronome"))
        rest = reader.rest
        try checkIdentifiers(file: file)
        try checkStems(file: file)
        try checkPlaylist(file: file)
    }

    private func checkStems(file: String) throws(SessionError) {
        var ids: Set<String> = []
        for (index, stem) in stems.enumerated() {
            let key = "stems[\(index)]"
            if !ids.insert(stem.id).inserted { throw .duplicate(path: file, key: "\(key).id", id: stem.id) }
            if stem.playback != stems[0].playback {
                throw .value(
                    path: file, key: "\(key).playback",
                    expected: "\"\(stems[0].playback.rawValue)\", as the other stems",
                    found: "\"\(stem.playback.rawValue)\"")
            }
            if stem.playback == .repitch, stem.bpm != stems[0].bpm {
                throw .value(
                    path: file, key: "\(key).bpm", expected: "the tempo of the other stems",
                    found: stem.bpm.map { "\($0)" } ?? "nothing")
            }
        }
        var names: Set<String> = []
        for (index, marker) in markers.enumerated() where !names.insert(marker.name).inserted {
            throw .duplicate(path: file, key: "markers[\(index)].name", id: marker.name)
        }
    }

    func checkPlaylist(file: String) throws(SessionError) {
        var ids: Set<String> = []
        for (index, item) in playlist.enumerated() where !ids.insert(item.id).inserted {
            throw .duplicate(path: file, key: "playlist[\(index)].id", id: item.id)
        }
    }

    private func checkIdentifiers(file: String) throws(SessionError) {
        var trackIDs: Set<String> = []
        var clipIDs: Set<String> = []
        for (trackIndex, track) in tracks.enumerated() {
            let key = "tracks[\(trackIndex)]"
            if !trackIDs.insert(track.id).inserted {
                throw .duplicate(path: file, key: "\(key).id", id: track.id)
            }
            var slots: Set<Int> = []
            for (clipIndex, clip) in track.clips.enumerated() {
                let clipKey = "\(key).clips[\(clipIndex)]"
                if !clipIDs.insert(clip.id).inserted {
                    throw .duplicate(path: file, key: "\(clipKey).id", id: clip.id)
                }
                if !slots.insert(clip.slot).inserted {
                    throw .value(
                        path: file, key: "\(clipKey).slot", expected: "a slot that no other clip of the track is in",
                        found: "\(clip.slot)")
                }
            }
        }
    }
}

extension ObjectReader {
    /// The keys of `master` that say how outputs are limited.
    fileprivate mutating func limiter() throws(SessionError) -> LimiterSettings {
        let range = LimiterSettings.ceilingRange
        let expected = "a true peak from \(Int(range.lowerBound)) to \(Int(range.upperBound)) dB"
        var settings = LimiterSettings()
        settings.isOn = try bool("limiter", default: settings.isOn)
        settings.ceiling = Decibels(try number("ceiling", expected) { range.contains($0) } ?? settings.ceiling.rawValue)
        return settings
    }
}

extension TrackDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        id = try reader.requiredString("id")
        name = try reader.string("name") ?? id
        gain = try reader.gain("gain")
        pan = try reader.number("pan", "a number from -1 to 1") { (-1...1).contains($0) } ?? 0
        mute = try reader.bool("mute", default: false)
        solo = try reader.bool("solo", default: false)
        output = try reader.string("output") ?? TrackDocument.mainOutput
        color = try reader.string("color")
        for (index, clip) in try reader.objects("clips").enumerated() {
            clips.append(try ClipDocument(clip, defaultSlot: index))
        }
        rest = reader.rest
    }
}

extension ClipDocument {
    init(_ source: ObjectReader, defaultSlot: Int) throws(SessionError) {
        var reader = source
        id = try reader.requiredString("id")
        name = try reader.string("name") ?? id
        file = try reader.requiredString("file")
        slot = try reader.integer("slot", atLeast: 0) ?? defaultSlot
        bpm = try reader.tempo("bpm")
        beats = try reader.number("beats", "a number of beats above 0") { $0 > 0 }
        firstBeat = try reader.integer("firstBeat", atLeast: 0)
        start = try reader.integer("start", atLeast: 0) ?? 0
        end = try reader.integer("end", atLeast: start + 1)
        gain = try reader.gain("gain")
        loop = try reader.bool("loop", default: true)
        playback = try reader.playback(default: .repitch)
        launchMode = try reader.word("launchMode", default: .trigger)
        startPosition = try reader.word("startPosition", default: .fromStart)
        quantization = try reader.quantization("quantization")
        fadeIn = try reader.fade("fadeIn")
        fadeOut = try reader.fade("fadeOut")
        color = try reader.string("color")
        rest = reader.rest
    }
}

extension SceneDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        name = try reader.string("name") ?? ""
        tempo = try reader.tempo("tempo")
        rest = reader.rest
    }
}
