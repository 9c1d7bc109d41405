import BarlineEngine
import BarlineTime
import Foundation

extension SessionDocument {
    /// Writes the session to `path`. The file is replaced as a whole, so that a crash leaves the old or the new one.
    public func write(to path: String) throws(SessionError) {
        do {
            try Data(JSONText.document(json).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .file(path: path, reason: "can't be written: \(error.localizedDescription)")
        }
    }

    /// The session as JSON, with the keys that this version does not know.
    public var json: JSONValue {
        var values = rest
        values["barline"] = .number(Double(SessionDocument.formatVersion))
        values["name"] = .string(name)
        values["tempo"] = .number(tempo)
        values["timeSignature"] = .string(timeSignature.description)
        values["launchQuantization"] = .string(launchQuantization.description)
        values["firstLaunch"] = .string(firstLaunch.rawValue)
        values["snapTolerance"] = .number(snapTolerance)
        values["resyncThreshold"] = .number(resyncThreshold)
        values["importLoudness"] = .string(importLoudness.rawValue)
        var master = masterRest
        master["gain"] = .gain(masterGain)
        master["limiter"] = .bool(limiter.isOn)
        master["ceiling"] = .number(limiter.ceiling.rawValue)
        values["master"] = .object(master)
        values["tracks"] = .array(tracks.map(\.json))
        values["scenes"] = .array(scenes.map(\.json))
        values["stems"] = .array(stems.map(\.json))
        let stemSet = stemSet.json
        if !stemSet.isEmpty { values["stemSet"] = .object(stemSet) }
        if !markers.isEmpty { values["markers"] = .array(markers.map(\.json)) }
        values["playlist"] = .array(playlist.map(\.json))
        let settings = playlistSettings.json
        if !settings.isEmpty { values["playlistSettings"] = .object(settings) }
        values["metronome"] = metronome.json
        return .object(values)
    }
}

extension TrackDocument {
    /// The track as JSON, with its clips.
    package var json: JSONValue {
        var values = rest
        values["id"] = .string(id)
        values["name"] = .string(name)
        values["gain"] = .gain(gain)
        values["pan"] = .number(pan)
        values["mute"] = .bool(mute)
        values["solo"] = .bool(solo)
        values["output"] = .string(output)
        if let color { values["color"] = .string(color) }
        values["clips"] = .array(clips.map(\.json))
        return .object(values)
    }
}

extension ClipDocument {
    /// The clip as JSON.
    package var json: JSONValue {
        var values = rest
        values["id"] = .string(id)
        values["name"] = .string(name)
        values["file"] = .string(file)
        values["slot"] = .number(Double(slot))
        values["bpm"] = bpm.map(JSONValue.number) ?? .null
        values["beats"] = beats.map(JSONValue.number) ?? .null
        values["firstBeat"] = firstBeat.map { .number(Double($0)) } ?? .null
        values["start"] = .number(Double(start))
        values["end"] = end.map { .number(Double($0)) } ?? .null
        values["gain"] = .gain(gain)
        values["loop"] = .bool(loop)
        values["playback"] = .string(playback.rawValue)
        values["launchMode"] = .string(launchMode.rawValue)
        values["startPosition"] = .string(startPosition.rawValue)
        values["quantization"] = quantization.map { .string($0.description) } ?? .null
        values["fadeIn"] = fadeIn.map(JSONValue.number) ?? .null
        values["fadeOut"] = fadeOut.map(JSONValue.number) ?? .null
        values["color"] = color.map(JSONValue.string) ?? .null
        return .object(values)
    }
}

extension SceneDocument {
    var json: JSONValue {
        var values = rest
        values["name"] = .string(name)
        values["tempo"] = tempo.map(JSONValue.number) ?? .null
        return .object(values)
    }
}

extension JSONValue {
    static func gain(_ decibels: Double) -> JSONValue { decibels.isFinite ? .number(decibels) : .null }
}
