import BarlineTime
import Foundation

extension AudioFileStream {
    /// Reads on, whatever the disk and others do to the file meanwhile.
    func readSteadily(_ count: Int) throws(AudioFileError) -> Int {
        guard let identity else { return readOnce(count) }
        let isLost = needsReseek && (try? open(at: next)) == nil
        var frames = isLost ? 0 : readOnce(count)
        if let now = FileIdentity(path), now.isChanged(from: identity) { frames = try readChanged(count, now) }
        if frames < count, isWholeReader, next + Int64(frames) < reader.frameCount { needsReseek = true }
        guard frames == 0, reader.isLengthKnown else { return frames }
        if next < reader.frameCount { return try readAfterOutage(count) }
        if next < expected { throw cutOff }
        return 0
    }

    /// Waits for a disk that returns nothing where the file has more; throws where the file itself was cut off.
    private func readAfterOutage(_ count: Int) throws(AudioFileError) -> Int {
        let begin = DispatchTime.now()
        var quiet = 0
        while Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) * 1e-9 < DiskOutage.timeout {
            if let identity, let now = FileIdentity(path), now.isChanged(from: identity) {
                return try readChanged(count, now)
            }
            if DiskOutage.isPresent(path) {
                quiet = 0
            } else {
                if (try? open(at: next)) != nil {
                    let frames = readOnce(count)
                    if frames > 0 { return frames }
                }
                quiet += 1
                // The disk returns what there is: this is the end, whatever the header says.
                if quiet > 2 { throw cutOff }
            }
            guard cancellation.sleep(seconds: DiskOutage.interval) else { return 0 }
        }
        throw .cannotOpen(path: path, reason: "the disk gives nothing of it")
    }

    /// Goes on in what the file has become, where that is sound of the same kind.
    private func readChanged(_ count: Int, _ now: FileIdentity) throws(AudioFileError) -> Int {
        isChanged = true
        identity = now
        let (rate, channels) = (reader.sampleRate, reader.channelCount)
        guard let reopened = try? AudioFileReader(path: path, cancellation: cancellation), reopened.sampleRate == rate,
            reopened.channelCount == channels
        else { throw changed }
        reader = reopened
        needsReseek = false
        if reopened.isLengthKnown, next >= reopened.frameCount { return 0 }
        guard reopened.seek(to: next) else { throw changed }
        return readOnce(count)
    }

    private var cutOff: AudioFileError { .truncated(path: path, frames: next, expected: expected) }

    /// Reopens the file.
    private func open(at frame: Int64) throws(AudioFileError) {
        let reopened = try AudioFileReader(path: path, cancellation: cancellation)
        guard reopened.sampleRate == reader.sampleRate, reopened.channelCount == reader.channelCount,
            reopened.seek(to: frame)
        else { throw changed }
        reader = reopened
        needsReseek = false
    }

    /// Whether the reader returns fewer frames than requested at the end only.
    private var isWholeReader: Bool { reader.isWhole }

    var changed: AudioFileError {
        .notAudio(path: path, reason: "it was changed while it was played, from frame \(next) on")
    }
}
