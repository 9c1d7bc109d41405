import BarlineFiles
import Foundation

/// A session beside copies of all files that it plays, in a folder of its own, which another machine can be given.
///
/// The files are in the folder `audio`, where what is added to the session is put as well; the session names them
/// relative to itself. What is on the network stays there.
package struct CollectedSession: Sendable {
    /// The session's file.
    package let path: String
    /// How many files were copied.
    package private(set) var fileCount = 0
    /// How long they are together, in bytes.
    package private(set) var byteCount: Int64 = 0
    /// The files that could not be found, as paths from the root on. The session names each where its copy would be.
    package private(set) var missing: [String] = []

    private let audio: URL
    /// The names of the copies, by the files that they are of.
    private var names: [String: String] = [:]
    private var taken: Set<String> = []

    /// Collects a session.
    ///
    /// - Parameters:
    ///   - document: the session.
    ///   - source: its file.
    ///   - folder: where it is put; made where there is none.
    /// - Throws: ``SessionError`` where the folder is not empty, and where something can't be copied; then the folder is
    ///   empty again.
    package init(of document: SessionDocument, at source: String, in folder: String) throws(SessionError) {
        try RenderedFile.makeFolder(folder)
        let place = URL(fileURLWithPath: folder, isDirectory: true)
        guard let present = try? FileManager.default.contentsOfDirectory(atPath: folder), present.isEmpty else {
            throw .file(path: folder, reason: "is not empty: name a new folder")
        }
        path = place.appendingPathComponent(source.lastPathName).path
        audio = place.appendingPathComponent("audio", isDirectory: true)
        do {
            let base = URL(fileURLWithPath: source).deletingLastPathComponent()
            for file in document.files { try collect(URL(fileURLWithPath: file, relativeTo: base).path) }
            // It comes last: what was broken off does not look whole.
            try document.withFiles { file in
                let path = URL(fileURLWithPath: file, relativeTo: base).path
                return names[CollectedSession.target(of: path)].map { "audio/\($0)" } ?? file
            }.write(to: path)
        } catch {
            try? FileManager.default.removeItem(at: audio)
            throw error
        }
    }

    private mutating func collect(_ path: String) throws(SessionError) {
        let source = CollectedSession.target(of: path)
        if names[source] != nil { return }
        let name = freeName(for: path.lastPathName)
        names[source] = name
        var status = stat()
        guard stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            missing.append(source)
            return
        }
        do {
            try FileManager.default.createDirectory(at: audio, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: audio.appendingPathComponent(name).path)
        } catch {
            throw .file(path: source, reason: "can't be copied: \(systemReason(of: error))")
        }
        fileCount += 1
        byteCount += Int64(status.st_size)
    }

    /// A name that every file system can have beside those that are taken.
    private mutating func freeName(for name: String) -> String {
        let plain = String(name.map { CollectedSession.reserved.contains($0) || $0.isNewline ? "_" : $0 })
        var number = 1
        while true {
            let free = MediaStore.name(plain, number: number)
            // There are disks to which upper case and accents of two letters are nothing else.
            if taken.insert(free.precomposedStringWithCanonicalMapping.lowercased()).inserted { return free }
            number += 1
        }
    }

    /// Where links lead: one file has one copy, however many names there are for it.
    private static func target(of path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// What names on exFAT and NTFS can't have.
    private static let reserved: Set<Character> = ["\\", ":", "*", "?", "\"", "<", ">", "|"]
}
