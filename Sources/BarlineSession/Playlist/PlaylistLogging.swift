import BarlineEngine
import Logging

extension SessionPlaylist {
    /// A log of each component: `barline.player`, `barline.serializer`, `barline.item`, `barline.source`.
    static func log() -> @Sendable (PlaylistLogEntry) -> Void {
        let loggers = Dictionary(
            uniqueKeysWithValues: PlaylistLogEntry.Component.allCases.map {
                ($0, Logger(label: "barline.\($0.rawValue)"))
            })
        return { entry in
            // What the serializer does is logged at debug level only.
            let level: Logger.Level = entry.isFailure ? .warning : entry.component == .serializer ? .trace : .debug
            loggers[entry.component]?.log(level: level, "\(entry.message)")
        }
    }

    /// Notes what was asked for, in the words of the script.
    func log(_ action: PlaylistAction) {
        Logger(label: "barline.\(PlaylistLogEntry.Component.player.rawValue)")
            .debug("asked for: \(JSONText.line(.object(action.json)))")
    }
}
