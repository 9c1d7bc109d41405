import BarlineOutputs
import BarlineSession
import Foundation

/// The account of a program's callback while it plays: reported by it, for `barline doctor`.
struct CallbackAccount: Hashable, Sendable {
    /// The load of late; `nil` while nobody knows.
    var load: OutputLoad?
    /// Blocks that were late, since the program began.
    var xruns: Int64

    init(load: OutputLoad?, xruns: Int64) { (self.load, self.xruns) = (load, xruns) }

    /// Reads what ``text`` has written.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Double($0) }
        guard let first = numbers.first ?? nil, let xruns = Int64(exactly: first) else { return nil }
        self.xruns = xruns
        guard numbers.count == 4, let mean = numbers[1], let p99 = numbers[2], let most = numbers[3] else { return }
        load = OutputLoad(mean: mean, p99: p99, max: most)
    }

    /// The account as ``FlightLog`` keeps it.
    var text: String {
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        let loads = load.map { [$0.mean, $0.p99, $0.max].map { "\(hundredths($0))" } } ?? []
        return (["\(xruns)"] + loads).joined(separator: " ")
    }

    /// The account for people.
    var words: String {
        func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
        let late = xruns == 1 ? "1 xrun" : "\(xruns) xruns"
        guard let load else { return late }
        return "\(percent(load.mean)) of its time in the mean, \(percent(load.p99)) in 99 of 100 blocks, "
            + "\(percent(load.max)) at most; \(late)"
    }

    /// The accounts of the programs that play, by their numbers.
    static func all(in library: SessionLibrary) -> [(process: Int, account: CallbackAccount)] {
        let folder = CrashLogs.folder(of: library)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name -> (process: Int, account: CallbackAccount)? in
            guard let process = CrashLogs.process(ofRunning: name),
                let text = FlightLog.account(at: folder.appendingPathComponent(name).path),
                let account = CallbackAccount(text)
            else { return nil }
            return (process, account)
        }.sorted { $0.process < $1.process }
    }
}
