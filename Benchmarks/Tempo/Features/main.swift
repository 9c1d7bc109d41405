import BarlineAnalysis
import Foundation

// Prints what the classifiers see of every file named on standard input: path, true tempo and number of beats, or 0,
// between tabs.
while let line = readLine() {
    let fields = line.split(separator: "\t")
    guard fields.count == 3, let bpm = Double(fields[1]), let beats = Double(fields[2]) else { continue }
    do {
        print(try TrainingData.line(path: String(fields[0]), bpm: bpm, beats: beats > 0 ? beats : nil))
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
}
