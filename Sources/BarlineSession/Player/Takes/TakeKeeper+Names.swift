import BarlineFiles
import Foundation

/// What the files of takes are called.
extension TakeKeeper {
    /// What the name of a take's file begins with, before the time.
    static func beginning(_ title: String) -> String {
        "take-" + title.prefix(80).map { $0 == "/" || $0 == "\0" ? "_" : $0 } + " "
    }

    // MARK: Free names

    /// An empty file that keeps a name from other programs until the second is over that is in it: the take's own file
    /// comes with its first frames.
    struct Claim {
        static let suffix = ".claim"
        /// How long one is kept, in seconds.
        static let lifetime = 2.0

        let path: String
        let made = MonotonicClock.now
    }

    /// Takes the path of a file that there is not, and that no other program has taken.
    func freePath(_ title: String, in folder: URL, _ state: inout State) -> String {
        let stem = TakeKeeper.stem(title)
        var path = ""
        var number = 1
        repeat {
            let more = number == 1 ? "" : " (\(number))"
            path = folder.appendingPathComponent("\(stem)\(more).wav").path
            number += 1
        } while state.open.contains { $0.path == path } || isUsed(path, state.journals) || !claim(path, &state)
        return path
    }

    /// Whether there is a file of that name, or a journal of one.
    private func isUsed(_ path: String, _ journals: URL?) -> Bool {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let journal = journals.map { TakePaths(name, in: $0).journal }
        return ([path, TakePaths.played(of: path)] + [journal].compactMap { $0 }).contains(
            where: FileManager.default.fileExists)
    }

    /// Keeps a path from others, where that can be done; `false` where another program has it.
    private func claim(_ path: String, _ state: inout State) -> Bool {
        guard let folder = state.claimFolder else { return true }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A folder has one name here, whichever way leads to it.
        let place = URL(fileURLWithPath: path)
        var hash = FNV1a()
        hash.add(place.deletingLastPathComponent().resolvingSymlinksInPath().path.utf8)
        let name = "\(place.deletingPathExtension().lastPathComponent) \(String(hash.value, radix: 16))"
        let claim = Claim(path: folder.appendingPathComponent("\(name)\(Claim.suffix)").path)
        let descriptor = open(claim.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno != EEXIST }
        close(descriptor)
        state.claims.append(claim)
        return true
    }

    /// Removes the claims that are not needed any more.
    func releaseClaims(_ state: inout State, isLast: Bool = false) {
        let now = MonotonicClock.now
        for claim in state.claims where isLast || now - claim.made > Claim.lifetime { unlink(claim.path) }
        state.claims.removeAll { isLast || now - $0.made > Claim.lifetime }
    }

    /// Removes claims of programs that were killed.
    static func removeOldClaims(in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for path in names.filter({ $0.hasSuffix(Claim.suffix) }).map({ folder.appendingPathComponent($0).path }) {
            var status = stat()
            if stat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > 60 { unlink(path) }
        }
    }

    /// What a file is called that is begun now.
    private static func stem(_ title: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH.mm.ss"
        return beginning(title) + formatter.string(from: Date())
    }
}
