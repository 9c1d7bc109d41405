import BarlineEngine
import Foundation

/// The clips that `alignTakes` is asked for.
struct AlignmentRequest: Sendable {
    /// One; `nil` for all.
    let clip: String?
}

extension SessionPlayer {
    /// Moves clips that were recorded to where they were played.
    ///
    /// - Returns: what has become of those that are not where they belong, by their identifiers.
    func align(_ request: AlignmentRequest?, by measured: [MeasuredLatency]) async -> [String: ClipAlignment.Result] {
        guard let request else { return [:] }
        let (document, path, overdubs) = bound.withLock { ($0.document, $0.path, $0.overdubs) }
        var results: [String: ClipAlignment.Result] = [:]
        for clip in document.tracks.flatMap(\.clips) where request.clip == nil || request.clip == clip.id {
            let alignment = ClipAlignment(
                clip: clip, measured: measured, folder: URL(fileURLWithPath: path).deletingLastPathComponent(),
                loader: loader, takes: takes, isRecordedOver: overdubs[clip.id] != nil)
            results[clip.id] = await alignment.result()
        }
        return results
    }
}

extension [String: ClipAlignment.Result] {
    /// What there is to say of the clips of a document that stay where they are.
    func notices(_ document: SessionDocument) -> [SessionNotice] {
        if isEmpty { return [] }
        return document.tracks.flatMap(\.clips).compactMap { clip in
            guard case .refused(let why)? = self[clip.id] else { return nil }
            return SessionNotice("\"\(clip.name)\" is not moved: \(why)")
        }
    }
}
