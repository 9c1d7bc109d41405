import BarlineFiles
import Foundation

extension LiveSession {
    /// Whether a session of the library is the one that is open.
    package func isOpen(_ entry: SessionLibrary.Entry) -> Bool {
        guard let path = try? library.path(ofSession: entry.name) else { return false }
        return isOpen(path: path)
    }

    private func isOpen(path: String) -> Bool {
        URL(fileURLWithPath: SessionLibrary.target(of: path)).standardizedFileURL.path
            == URL(fileURLWithPath: player.path).standardizedFileURL.path
    }

    /// Gives a session of the library another name, and with it what was kept of it since it was saved. The one that is
    /// open continues under its new name, whatever in it was not saved.
    func renameSession(_ name: String, to newName: String, _ source: String) async throws(SessionError) {
        let (path, newPath) = (try existing(name, source), try library.path(ofSession: newName, key: "to"))
        if path == newPath { return }
        guard !FileManager.default.fileExists(atPath: newPath) else {
            throw .value(
                path: source, key: "to", expected: "a name that no session has yet", found: "\"\(newName)\"")
        }
        let isOpen = isOpen(path: path)
        let claim = try requireOwn(path, isOpen: isOpen, source)
        defer { withExtendedLifetime(claim) {} }
        do {
            try FileManager.default.moveItem(atPath: path, toPath: newPath)
        } catch {
            throw .file(path: path, reason: "can't be renamed: \(systemReason(of: error))")
        }
        for old in Autosave.all(of: path, in: library) {
            let new = old.move(to: newPath, in: library)
            state.withLock { state in
                state.offers = state.offers.map { $0 == old ? new : $0 }
                if state.place == old { state.place = new }
            }
        }
        SessionVersions(of: path, in: library).move(to: SessionVersions(of: newPath, in: library), of: newPath)
        // What can't be read keeps what it says of its name.
        let saved = try? SessionDocument(path: newPath).named(newName)
        try saved?.write(to: newPath)
        guard isOpen else { return }
        _ = try await change("Rename session", path: SessionLibrary.target(of: newPath)) { $0.named(newName) }
        state.withLock { state in
            if let saved { state.saved = saved }
            state.savedTime = SessionLibrary.modified(newPath)
        }
        claimPath()
    }

    /// Deletes a session of the library. The one that is open is refused.
    func deleteSession(_ name: String, _ source: String) throws(SessionError) {
        let path = try existing(name, source)
        if isOpen(path: path) {
            throw .unsupported(
                path: source, key: "name", what: "the session that is open can't be deleted: open another one first")
        }
        let claim = try requireOwn(path, isOpen: false, source)
        defer { withExtendedLifetime(claim) {} }
        guard unlink(path) == 0 else {
            throw .file(path: path, reason: "can't be deleted: \(String(cString: strerror(errno)))")
        }
        for copy in Autosave.all(of: path, in: library) { copy.remove() }
        SessionVersions(of: path, in: library).remove()
    }

    /// Refuses what takes a session away from another program that has it open, with what is not saved there.
    ///
    /// - Returns: what keeps others from opening it meanwhile.
    private func requireOwn(_ path: String, isOpen: Bool, _ source: String) throws(SessionError) -> SessionLock? {
        let claim = isOpen ? nil : SessionLock(path, in: library)
        if isOpen ? isOpenElsewhere : claim == nil {
            throw .unsupported(
                path: source, key: "name", what: "the session is open in another program: close it there first")
        }
        return claim
    }

    private func existing(_ name: String, _ source: String) throws(SessionError) -> String {
        let path = try library.path(ofSession: name)
        guard FileManager.default.fileExists(atPath: path) else {
            throw .unknown(path: source, key: "name", id: name)
        }
        return path
    }
}

extension SessionDocument {
    fileprivate func named(_ name: String) -> SessionDocument {
        var document = self
        document.name = name
        return document
    }
}
