import BarlineEngine
import Foundation

extension SessionPlaylist {
    // Makes the list another one; what sounds plays on where it is in both. Relative paths start at the folder of the
    // session's file, `path`.
    func change(to target: [PlaylistItemDocument], path: String) throws(EngineError) {
        move(to: URL(fileURLWithPath: path).deletingLastPathComponent())
        let wanted = Set(target.map(\.id))
        for (index, document) in documents.enumerated().reversed() where !wanted.contains(document.id) {
            try player.remove(at: index)
        }
        for (index, document) in target.enumerated() {
            let now = documents
            if let place = now.firstIndex(where: { $0.id == document.id }) {
                if place != index { try player.move(from: place, to: index) }
                if now[place] != document { try player.replace(at: index, with: item(for: document)) }
            } else {
                player.insert([item(for: document)], at: index)
            }
        }
    }
}
