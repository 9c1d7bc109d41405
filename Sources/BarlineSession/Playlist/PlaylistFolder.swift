import BarlineFiles
import Foundation

/// The audio of a folder, in the order in which it is played.
enum PlaylistFolder {
    /// The audio files of a folder and of the folders in it, as paths; what begins with a dot is left out.
    ///
    /// The files of one folder come before those of the folders in it, and folders in the order of their names, in
    /// which 2 comes before 10. Files are in the order of their albums, discs and tracks where each of them has a
    /// track's number, else in that of their names.
    ///
    /// A folder in it that can't be read is one of the files.
    ///
    /// - Throws: `AudioFileError` where the folder can't be read, or there is no audio in it.
    static func files(in path: String) throws(AudioFileError) -> [String] {
        var visited: Set<String> = []
        let files = try files(in: URL(fileURLWithPath: path).path, &visited)
        if files.isEmpty { throw .notAPlaylist(path: path, reason: "it is a folder without audio") }
        return files
    }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func files(in folder: String, _ visited: inout Set<String>) throws(AudioFileError) -> [String] {
        // A link may lead back to where it is.
        guard visited.insert(URL(fileURLWithPath: folder).resolvingSymlinksInPath().path).inserted else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        } catch {
            throw .cannotOpen(path: folder, reason: systemReason(of: error))
        }
        let paths = names.sorted(by: MediaFolders.isBefore).map { folder + "/" + $0 }
        let folders = paths.filter(isFolder)
        var files = ordered(paths.filter { MediaFolders.isAudio($0) && !folders.contains($0) })
        for folder in folders {
            do throws(AudioFileError) {
                files += try self.files(in: folder, &visited)
            } catch {
                // It is left out when its turn comes, which is told, as a file is that can't be read.
                files.append(folder)
            }
        }
        return files
    }

    /// Files that are in the order of their names, in that of their tags if there are any.
    private static func ordered(_ files: [String]) -> [String] {
        var numbered: [(file: String, album: String, disc: Int, track: Int)] = []
        for file in files {
            guard let tags = try? AudioTags(path: file), let track = tags.trackNumber else { return files }
            numbered.append((file, tags.album ?? "", tags.discNumber ?? 1, track))
        }
        // What is equal keeps the order of names.
        return numbered.enumerated().sorted { first, second in
            let (one, other) = (first.element, second.element)
            if one.album != other.album { return MediaFolders.isBefore(one.album, other.album) }
            return (one.disc, one.track, first.offset) < (other.disc, other.track, second.offset)
        }.map(\.element.file)
    }
}
