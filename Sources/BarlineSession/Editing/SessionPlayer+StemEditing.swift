import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Stems that are open and not on the engine yet.
struct OpenedStems {
    var stems: [Stem] = []
    var warnings: [SessionWarning] = []
}

extension SessionPlayer {
    /// Whether the files are the same, and what is read of them.
    static func isSameStems(_ old: BoundSession, _ new: BoundSession) -> Bool {
        func sources(_ bound: BoundSession) -> Set<StemIdentity> {
            let folder = URL(fileURLWithPath: bound.path).deletingLastPathComponent()
            return Set(bound.document.stems.map { StemIdentity($0, folder: folder) })
        }
        return sources(old) == sources(new)
    }

    private struct StemIdentity: Hashable {
        let id: String
        let path: String
        let offset: Int64
        let recordedTempo: Double?

        init(_ stem: StemDocument, folder: URL) {
            id = stem.id
            path = URL(fileURLWithPath: stem.file, relativeTo: folder).standardizedFileURL.path
            offset = stem.offset
            recordedTempo = stem.playback == .repitch ? stem.bpm : nil
        }
    }

    static func openStems(_ bound: BoundSession) -> OpenedStems {
        let folder = URL(fileURLWithPath: bound.path).deletingLastPathComponent()
        var opened = OpenedStems()
        for (index, stem) in bound.document.stems.enumerated() {
            do throws(AudioFileError) {
                let file = try StemFile(path: URL(fileURLWithPath: stem.file, relativeTo: folder).path)
                opened.stems.append(Stem(file, offset: stem.offset))
            } catch {
                opened.warnings.append(
                    SessionWarning(.audio(path: bound.path, key: "stems[\(index)].file", error)))
                opened.stems.append(Stem(MissingStem()))
            }
        }
        return opened
    }

    /// Puts stems in the place of those that are there; they go on where those were.
    func install(_ opened: OpenedStems, feeding: Multitrack.Feeding, _ new: inout BoundSession) {
        let state = engine.state
        let wasPlaying = state.multitrack.phase != .paused
        let position = state.multitrack.position
        new.warnings += opened.warnings
        let former = new.multitrack
        let recorded = new.document.stems.first.flatMap { $0.playback == .repitch ? $0.bpm : nil }
        do throws(EngineError) {
            if opened.stems.isEmpty {
                former?.stop()
                new.multitrack = nil
                return
            }
            let multitrack = try Multitrack(
                opened.stems, on: engine, recordedTempo: recorded.map(Tempo.init(clamping:)),
                grid: new.document.stemGrid(sampleRate: opened.stems.first?.source.sampleRate), feeding: feeding)
            former?.close()
            new.multitrack = multitrack
            if position > 0, former != nil { multitrack.seek(to: position) }
            if wasPlaying, former != nil { multitrack.play() }
        } catch {
            new.warnings.append(SessionWarning(.engine(path: new.path, key: "stems", error)))
        }
    }
}

extension BoundSession {
    /// Gives every track and stem its place in the engine: what was there keeps it.
    mutating func assignPlaces(from old: BoundSession, _ configuration: EngineConfiguration) throws(SessionError) {
        var free = (0..<configuration.trackCount).map { TrackIndex($0) }
        var places: [String: TrackIndex] = [:]
        for track in document.tracks {
            guard let place = old.tracks[track.id] else { continue }
            places[track.id] = place
            free.removeAll { $0 == place }
        }
        // A place that was just left is still fading out: others come first.
        let left = Set(old.tracks.values)
        free = free.filter { !left.contains($0) } + free.filter { left.contains($0) }
        for track in document.tracks where places[track.id] == nil {
            guard !free.isEmpty else {
                throw .unsupported(
                    path: path, key: "tracks", what: "there is room for \(configuration.trackCount) tracks")
            }
            places[track.id] = free.removeFirst()
        }
        tracks = places
        guard document.stems.count <= configuration.stemCapacity else {
            throw .unsupported(path: path, key: "stems", what: "there is room for \(configuration.stemCapacity) stems")
        }
        if !SessionPlayer.isSameStems(old, self) {
            stems = Dictionary(
                document.stems.enumerated().map { ($0.element.id, StemIndex($0.offset)) }, uniquingKeysWith: { $1 })
        }
    }

    /// A line for every output that the engine has no room for.
    var missingOutputs: [SessionWarning] {
        Set(document.outputs).subtracting(outputs).sorted().map { name in
            SessionWarning(
                "\(path): there is no room for output \"\(name)\": what goes there goes to \"main\"",
                words: "There is no room for the output “\(name)”: what goes there goes to the main one.")
        }
    }
}

extension EngineConfiguration {
    /// Makes room for what is added while a session plays.
    package mutating func reserveForEditing() {
        trackCount = max(64, trackCount + 16)
        stemCapacity = max(64, stemCapacity + 16)
        clipCapacity = max(1024, 2 * clipCapacity)
        voiceCount = max(256, voiceCount)
        // Outputs that a session names while it plays.
        busCount += 7
    }
}
