// A playlist that is edited while it plays, and tells what it does.
//
//     swift run PlaylistExample one.flac two.mp3 three.wav
//     swift run PlaylistExample --output mix.wav one.flac two.mp3 three.wav

import Barline

@main
struct Playlist {
    static func main() async throws {
        var files = Array(CommandLine.arguments.dropFirst())
        var output = Stage.Output.live()
        if files.first == "--output", files.count > 1 {
            output = .file(files[1])
            files.removeFirst(2)
        }
        guard files.count == 3 else {
            print("usage: PlaylistExample [--output FILE] AUDIO AUDIO AUDIO")
            return
        }

        let stage = try Stage(output)
        let items = try stage.items(files)
        let names = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.title ?? "") })
        let observation = stage.events.observe { event in
            switch event.kind {
            case .playlist(.itemStarted(let item)): print("\(event.frame.rawValue): \(names[item] ?? "?") begins")
            case .playlist(.itemEnded(let item)): print("\(event.frame.rawValue): \(names[item] ?? "?") ends")
            case .playlist(.ended): print("\(event.frame.rawValue): the list ends")
            default: break
            }
        }

        let playlist = stage.playlist
        try playlist.insert([items[0], items[1]], at: 0)
        playlist.play()
        try await stage.run(seconds: 0.25)
        // What sounds goes on untouched: the second is taken out, the third comes in its place, without a gap.
        try playlist.remove(at: 1)
        try playlist.insert([items[2]], at: 1)
        try await stage.runToEnd()
        observation.cancel()
        try stage.stop()
    }
}
