import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

extension SessionPlayer {
    /// Opens the session's stems and puts them on the engine; `nil` where it has none.
    static func loadStems(
        _ document: SessionDocument, path: String, engine: Engine, policy: Policy, progress: (Double) -> Void,
        _ warnings: inout [SessionWarning]
    ) throws(SessionError) -> Multitrack? {
        if document.stems.isEmpty { return nil }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        var stems: [Stem] = []
        for (index, stem) in document.stems.enumerated() {
            do throws(AudioFileError) {
                let file = try StemFile(path: URL(fileURLWithPath: stem.file, relativeTo: folder).path)
                stems.append(
                    stem.stem(file, sampleRate: engine.sampleRate, quality: engine.configuration.varispeed))
            } catch {
                let problem = SessionError.audio(path: path, key: "stems[\(index)].file", error)
                if policy == .strict { throw problem }
                warnings.append(SessionWarning(problem))
                stems.append(Stem(MissingStem()))
            }
            progress(Double(index + 1) / Double(document.stems.count))
        }
        do throws(EngineError) {
            let multitrack = try Multitrack(
                stems, on: engine, recordedTempo: recordedTempo(document),
                grid: document.stemGrid(sampleRate: stems.first?.source.recorded.sampleRate), feeding: .manual)
            let outputs = document.outputs
            for (index, stem) in document.stems.enumerated() {
                let channel = Channel.stem(StemIndex(index))
                let bus = BusIndex(outputs.firstIndex(of: stem.output) ?? 0)
                try engine.mixer.set(stem.strip, bus, before: nil, nil, of: channel, outputs: outputs)
            }
            return multitrack
        } catch {
            throw .engine(path: path, key: "stems", error)
        }
    }

    /// Checks that a session has what an action on its stems needs.
    func resolve(
        _ action: StemsAction, _ bound: BoundSession, source: String, key: String
    ) throws(SessionError) -> StemsAction {
        guard let multitrack = bound.multitrack else {
            throw .unsupported(path: source, key: "\(key).do", what: "the session has no stems")
        }
        switch action {
        case .seek(let seconds, snap: true, let isBarLine):
            return .seek(multitrack.nearestBarLine(to: seconds), snap: true, isBarLine: isBarLine)
        case .loop(let start, let end, snap: true):
            return .loop(
                start: multitrack.nearestBarLine(to: start), end: multitrack.barLine(after: start, nearestTo: end),
                snap: true)
        case .seekMarker(let name, let snap):
            guard let marker = bound.document.markers.first(where: { $0.name == name }) else {
                throw .unknown(path: source, key: "\(key).marker", id: name)
            }
            if snap { return .seek(multitrack.nearestBarLine(to: marker.position), snap: true) }
            // Where nobody has said where the bars are, a marker is at one.
            return .seek(marker.position, isBarLine: bound.document.stemSet.firstBeat == nil && multitrack.grid != nil)
        default: return action
        }
    }

    /// Performs an action on the stems. It is done when every stem's first frames are there.
    func perform(_ action: StemsAction, at moment: (any Moment)?) throws(EngineError) {
        guard let multitrack else { return }
        let sent: Multitrack.Sent = { [weak self] in self?.record(.stems(action), sentAs: $0, at: moment) }
        switch action {
        case .play: multitrack.play(at: moment, sent: sent)
        case .pause: multitrack.pause(at: moment, sent: sent)
        case .stop: multitrack.stop(at: moment, sent: sent)
        case .seek(let seconds, let snap, let isBarLine):
            multitrack.seek(to: seconds, isBarLine: isBarLine, waitsForBar: snap, at: moment, sent: sent)
        case .seekMarker: break
        case .loop(let start, let end, _): try multitrack.setLoop(start..<end, at: moment, sent: sent)
        case .endLoop: try multitrack.setLoop(nil, at: moment, sent: sent)
        case .gain(let db): sent(try engine.stems.setGain(Decibels(db), at: moment))
        }
    }

    /// Problems with stems since they were opened, one line each.
    ///
    /// - Complexity: O(*n* log *n*) in the problems.
    public var stemProblems: [String] {
        let (multitrack, path) = bound.withLock { ($0.multitrack, $0.path) }
        return (multitrack?.problems ?? [:]).sorted { $0.key < $1.key }.map { stem, problem in
            "\(path): stems[\(stem.rawValue)].file: \(problem)"
        }
    }
}
