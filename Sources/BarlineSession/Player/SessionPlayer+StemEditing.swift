import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Stems that are open and not on the engine yet.
struct OpenedStems {
    /// All of the session's, or those that are new or read again, by their identifiers.
    var stems: [String: Stem] = [:]
    /// Whether they take the place of all that were there.
    var isNewSet: Bool
    var warnings: [SessionWarning] = []
}

extension SessionPlayer {
    /// Opens the files of the stems that are not what they were, and of those that have none if `rereads`; all of them where what they are recorded at has
    /// changed, for all are at other positions then.
    static func openStems(
        _ new: BoundSession, over old: BoundSession, rereads: Bool = false, sampleRate: SampleRate
    ) -> OpenedStems {
        let before = StemIdentity.all(of: old)
        let isNewSet = old.multitrack == nil || recordedTempo(old.document) != recordedTempo(new.document)
        var opened = OpenedStems(isNewSet: isNewSet)
        let folder = URL(fileURLWithPath: new.path).deletingLastPathComponent()
        func isWanted(_ stem: StemDocument) -> Bool {
            isNewSet || before[stem.id] != StemIdentity(stem, folder: folder)
                || rereads && old.stems[stem.id].map { old.multitrack?.stem(at: $0)?.source.file == nil } ?? true
        }
        for (index, stem) in new.document.stems.enumerated() where isWanted(stem) {
            do throws(AudioFileError) {
                let file = try StemFile(path: URL(fileURLWithPath: stem.file, relativeTo: folder).path)
                opened.stems[stem.id] = stem.stem(file, sampleRate: sampleRate)
            } catch {
                opened.warnings.append(
                    SessionWarning(.audio(path: new.path, key: "stems[\(index)].file", error)))
                opened.stems[stem.id] = Stem(MissingStem())
            }
        }
        return opened
    }

    /// The tempo at which the stems play at their own rate; `nil` where they don't follow the engine's.
    static func recordedTempo(_ document: SessionDocument) -> Tempo? {
        document.stems.first.flatMap { $0.followsTempo ? $0.bpm : nil }.map(Tempo.init(clamping:))
    }

    /// Puts stems that are new in the place of those that are there, which otherwise play on.
    ///
    /// - Parameters:
    ///   - opened: what was opened for it.
    ///   - old: the session before.
    ///   - feeding: who reads a set of stems where there was none.
    ///   - new: the session that the engine is to play.
    func install(
        _ opened: OpenedStems, over old: BoundSession, feeding: Multitrack.Feeding, _ new: inout BoundSession
    ) {
        new.warnings += opened.warnings
        let left = old.stems.filter { new.stems[$0.key] == nil }
        // In their order everywhere: what is sent, and the events of it, are the same in every run.
        for (id, index) in left.sorted(by: { $0.value < $1.value }) {
            // A solo that nobody sees any more would silence the others.
            attempt("stem \"\(id)\"", &new) { () throws(EngineError) in
                try engine.mixer[.stem(index)].setSolo(false)
            }
        }
        guard !new.document.stems.isEmpty else {
            let multitrack = new.multitrack
            new.multitrack = nil
            attempt("stems", &new) { () throws(EngineError) in try multitrack?.remove() }
            return
        }
        do throws(EngineError) {
            if opened.isNewSet {
                let multitrack = try load(opened, in: new, feeding: feeding)
                new.multitrack?.close()
                new.multitrack = multitrack
            } else if let multitrack = new.multitrack {
                for index in left.values.sorted() where !new.stems.values.contains(index) {
                    try multitrack.setStem(nil, at: index)
                }
                for id in new.document.stems.map(\.id) {
                    guard let stem = opened.stems[id], let index = new.stems[id] else { continue }
                    let file = multitrack.stem(at: index)?.source.file
                    if let file, file.path == stem.source.file?.path {
                        try multitrack.exchange(with: stem, at: index)
                    } else {
                        try multitrack.setStem(stem, at: index)
                    }
                }
            }
        } catch {
            new.warnings.append(SessionWarning(.engine(path: new.path, key: "stems", error)))
        }
    }

    /// Stems for all places, which continue where those before them were.
    private func load(
        _ opened: OpenedStems, in new: BoundSession, feeding: Multitrack.Feeding
    ) throws(EngineError) -> Multitrack {
        let state = engine.state.multitrack
        let places = opened.stems.compactMap { id, stem in new.stems[id].map { ($0, stem) } }
        let first = new.document.stems.first.flatMap { opened.stems[$0.id] }
        let plays = new.multitrack != nil && state.phase == .playing
        let multitrack = try Multitrack(
            at: Dictionary(places, uniquingKeysWith: { $1 }), on: engine,
            recordedTempo: SessionPlayer.recordedTempo(new.document),
            grid: new.document.stemGrid(sampleRate: first?.source.recorded.sampleRate), feeding: feeding,
            resumingAt: plays ? state.position : nil)
        guard let former = new.multitrack else { return multitrack }
        if !plays, state.position > 0 { multitrack.seek(to: state.position) }
        if !plays, state.phase != .paused { multitrack.play() }
        if let loop = former.loop { try multitrack.setLoop(loop) }
        return multitrack
    }
}

/// The identity of a stem's file, as far as it is read.
private struct StemIdentity: Hashable {
    let path: String
    let offset: Int64
    let transpose: Double
    let formants: Double?
    let onsets: [Int]?
    let isStretched: Bool

    init(_ stem: StemDocument, folder: URL) {
        path = URL(fileURLWithPath: stem.file, relativeTo: folder).standardizedFileURL.path
        offset = stem.offset
        transpose = stem.transpose
        formants = stem.formants
        isStretched = stem.playback == .stretch
        onsets = stem.transpose == 0 && !isStretched ? nil : stem.onsets
    }

    /// Those of all stems, by their identifiers.
    static func all(of bound: BoundSession) -> [String: StemIdentity] {
        let folder = URL(fileURLWithPath: bound.path).deletingLastPathComponent()
        return Dictionary(
            bound.document.stems.map { ($0.id, StemIdentity($0, folder: folder)) }, uniquingKeysWith: { $1 })
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
