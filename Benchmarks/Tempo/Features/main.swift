import BarlineAnalysis
import Foundation

// Prints what the classifiers see of every file named on standard input.
while let path = readLine() {
    do {
        print(try TrainingData.line(path: path))
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
}
