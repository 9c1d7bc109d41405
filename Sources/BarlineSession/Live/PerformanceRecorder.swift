import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// A recording under way: what is done, and the main output.
final class PerformanceRecorder: @unchecked Sendable {
    let name: String
    let isOfAudio: Bool
    /// Its first frame.
    private(set) var since = FrameTime.zero
    /// The rate of its frames.
    let sampleRate: SampleRate
    private let scriptPath: String
    private let audioPath: String
    private let writer: AudioFileWriter?
    // The writer is touched on this queue only: a slow disk must not hold up whoever hands the audio over.
    private let queue = DispatchQueue(label: "barline-recorder")
    private var problem: AudioFileError?
    /// The frame of what is written next.
    private var next = FrameTime.zero

    /// - Parameters:
    ///   - name: what its files are called.
    ///   - folder: where they are.
    ///   - sampleRate: the rate of its frames, from the first to the last.
    ///   - audio: whether the main output is recorded too.
    /// - Throws: ``SessionError`` where the files can't be made.
    init(
        name: String, folder: URL, sampleRate: SampleRate, audio: Bool
    ) throws(SessionError) {
        self.sampleRate = sampleRate
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

    /// Sets the first frame; before anything is added, and before anybody else knows of it.
    func begin(at frame: FrameTime) {
        since = frame
        next = frame
    }

    /// Adds what sounded from `frame` on. A hole, because nobody took the sound in time, becomes silence: the frames of the
    /// script are those of the file.
    func add(left: ArraySlice<Float>, right: ArraySlice<Float>, frame: FrameTime) {
        guard writer != nil, !left.isEmpty else { return }
        queue.async { [self] in
            while problem == nil, next < frame {
                let count = Int(min(frame - next, Int64(PerformanceRecorder.silence.count)))
                write(PerformanceRecorder.silence[..<count], PerformanceRecorder.silence[..<count])
            }
            if problem == nil { write(left, right) }
        }
    }

    private static let silence = ArraySlice([Float](repeating: 0, count: 4096))

    private func write(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) {
        guard let writer else { return }
        do throws(AudioFileError) {
            try left.withUnsafeBufferPointer { left throws(AudioFileError) in
                try right.withUnsafeBufferPointer { right throws(AudioFileError) in
                    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                    try writer.write(left: leftBase, right: rightBase, frames: left.count)
                }
            }
            next = next + Int64(left.count)
        } catch {
            problem = error
        }
    }

    // Ends the recording and tells what was written.
    func finish(_ script: PerformanceScript) throws(SessionError) -> [String] {
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
