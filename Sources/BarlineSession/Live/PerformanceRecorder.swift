import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// A recording under way: what is done, and the main output.
final class PerformanceRecorder: @unchecked Sendable {
    let name: String
    let isOfAudio: Bool
    private let scriptPath: String
    private let audioPath: String
    private let writer: AudioFileWriter?
    // The writer is touched on this queue only: a slow disk must not hold up whoever hands the audio over.
    private let queue = DispatchQueue(label: "barline-recorder")
    private var problem: AudioFileError?

    init(name: String, folder: URL, sampleRate: SampleRate, audio: Bool) throws(SessionError) {
        self.name = name
        isOfAudio = audio
        scriptPath = folder.appendingPathComponent(name + ".jsonl").path
        audioPath = folder.appendingPathComponent(name + ".wav").path
        try SessionLibrary.makeFolder(of: scriptPath)
        do throws(AudioFileError) {
            writer = audio ? try AudioFileWriter(path: audioPath, sampleRate: sampleRate, format: .float32) : nil
        } catch {
            throw .audio(path: audioPath, key: "record", error)
        }
    }

    func add(left: [Float], right: [Float]) {
        guard writer != nil else { return }
        queue.async { [self] in
            guard let writer, problem == nil else { return }
            do throws(AudioFileError) {
                try left.withUnsafeBufferPointer { left throws(AudioFileError) in
                    try right.withUnsafeBufferPointer { right throws(AudioFileError) in
                        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                        try writer.write(left: leftBase, right: rightBase, frames: left.count)
                    }
                }
            } catch {
                problem = error
            }
        }
    }

    // Ends the recording and tells what was written.
    func finish(_ script: PerformanceScript, sampleRate: SampleRate) throws(SessionError) -> [String] {
        try script.write(to: scriptPath, at: sampleRate)
        guard let writer else { return [scriptPath] }
        let outcome = queue.sync { () -> Result<Void, AudioFileError> in
            if let problem { return .failure(problem) }
            return Result { () throws(AudioFileError) in try writer.finish() }
        }
        if case .failure(let error) = outcome { throw .audio(path: audioPath, key: "record", error) }
        return [scriptPath, audioPath]
    }
}
