import ArgumentParser
import BarlineAnalysis
import Foundation
import Synchronization

/// `barline analyze`: tempo, beats and loudness of files.
struct AnalyzeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze", abstract: "Finds tempo, beats, bars and loudness of files.",
        discussion: """
            Files that can't be read are named, the others are analysed; the exit status is then 1. What was found is kept \
            under the hash of a file's content, and is not looked for again.
            """)

    @Argument(help: ArgumentHelp("The audio files.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Print a line of JSON for every file.")
    var json = false

    func run() async throws {
        Interruption.await()
        let progress = SharedProgress(count: files.count)
        defer { progress.end() }
        var failed = false
        var next = 0
        // As many at a time as there are cores: what is finished early waits for its turn to be printed.
        var finished: [Int: Result<FileAnalysis, any Error>] = [:]
        try await withThrowingTaskGroup(of: (Int, Result<FileAnalysis, any Error>).self) { group in
            var started = 0
            func start() {
                guard started < files.count else { return }
                let index = started
                let path = files[index]
                started += 1
                group.addTask { (index, await AnalyzeCommand.analyze(path, index, progress)) }
            }
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) { start() }
            while let (index, result) = try await group.next() {
                if let status = Interruption.status { throw ExitCode(status) }
                finished[index] = result
                start()
                while let result = finished.removeValue(forKey: next) {
                    if !progress.hidden({ show(result, of: files[next]) }) { failed = true }
                    next += 1
                }
            }
        }
        if failed { throw ExitCode(1) }
    }

    // There is nothing else to do here: every core may be used.
    private static let queue = BackgroundQueue(limit: ProcessInfo.processInfo.activeProcessorCount)

    /// Analyses a file on a thread of low priority, which may wait for a disk.
    private static func analyze(
        _ path: String, _ index: Int, _ progress: SharedProgress
    ) async -> Result<FileAnalysis, any Error> {
        do {
            let analysis = try await queue.run { _ in
                try AnalysisCache.standard.analysis(ofFile: path) { fraction in
                    if Interruption.status != nil { throw CancellationError() }
                    progress.show(fraction, of: index)
                }
            }
            return .success(analysis)
        } catch {
            return .failure(error)
        }
    }

    /// Prints a result; `false` where it is a failure.
    private func show(_ result: Result<FileAnalysis, any Error>, of file: String) -> Bool {
        switch result {
        case .success(let analysis):
            if json {
                JSONOutput.print(AnalysisText.object(analysis))
            } else {
                for line in AnalysisText.lines(analysis) { Terminal.printLine(line) }
            }
            return true
        case .failure(let error):
            Terminal.report("\(error)")
            return false
        }
    }
}

/// One bar for files that are read at the same time.
private final class SharedProgress: Sendable {
    private struct State {
        var bar = ProgressBar("Analysing")
        var fractions: [Double]
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(fractions: Array(repeating: 0, count: count))) }

    func show(_ fraction: Double, of index: Int) {
        state.withLock { state in
            state.fractions[index] = fraction
            state.bar.show(state.fractions.reduce(0, +) / Double(state.fractions.count))
        }
    }

    /// Writes something while there is no bar.
    func hidden<Value>(_ body: () -> Value) -> Value {
        state.withLock { state in
            state.bar.end()
            return body()
        }
    }

    func end() { state.withLock { $0.bar.end() } }
}
