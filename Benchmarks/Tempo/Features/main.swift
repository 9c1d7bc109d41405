import BarlineAnalysis
import Foundation

// Prints what the classifiers see of every file named on standard input: path, true tempo and number of beats, or 0,
// between tabs. With "--rows FOLDER" writes there what the beat network sees, a file for each; with "--network FILE"
// uses its weights.
let options = CommandLine.arguments.dropFirst()
let folder = options.first == "--rows" ? options.last : nil
let network =
    options.first == "--network" ? try options.last.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } : nil
while let line = readLine() {
    let fields = line.split(separator: "\t")
    guard fields.count == 3, let bpm = Double(fields[1]), let beats = Double(fields[2]) else { continue }
    let path = String(fields[0])
    do {
        if let folder {
            let name = URL(fileURLWithPath: path).lastPathComponent + ".rows"
            try TrainingData.rows(path: path).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
        } else {
            print(try TrainingData.line(path: path, bpm: bpm, beats: beats > 0 ? beats : nil, network: network))
        }
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
}
