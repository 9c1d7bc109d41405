import BarlineAnalysis
import Foundation

// Looks at every file named on standard input: path, true tempo and number of beats, or 0, between tabs. Prints what
// the classifiers see; with "--answers" what they answer, and what weighs it. With "--networks FILE" the beat networks
// have that file's weights. With "--rows FOLDER" writes there what the networks see, a file for each.
var options: [String: String] = [:]
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() { options[option] = option == "--answers" ? "" : arguments.popFirst() }
let networks = try options["--networks"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
while let line = readLine() {
    let fields = line.split(separator: "\t")
    guard fields.count == 3, let bpm = Double(fields[1]), let beats = Double(fields[2]) else { continue }
    let path = String(fields[0])
    do {
        if let folder = options["--rows"] {
            let name = URL(fileURLWithPath: path).lastPathComponent + ".rows"
            try TrainingData.rows(path: path).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
        } else if options["--answers"] != nil {
            print(try TrainingData.answers(path: path, networks: networks))
        } else {
            print(
                try TrainingData.candidates(path: path, bpm: bpm, beats: beats > 0 ? beats : nil, networks: networks))
        }
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
}
