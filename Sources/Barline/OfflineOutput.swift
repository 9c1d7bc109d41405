import BarlineDSP
import BarlineEngine
import BarlineFiles
import Foundation

/// Renders an engine's main bus, block by block, into a file or into memory. Of several that let time pass at once, each
/// renders a block in turn.
final class OfflineOutput: @unchecked Sendable {
    static let blockFrames = 512

    private let engine: Engine
    private let lock = NSLock()
    private let turn = NSLock()
    private let file: AudioFileWriter?
    private var left: [Float] = []
    private var right: [Float] = []

    init(_ engine: Engine, file: AudioFileWriter?) {
        self.engine = engine
        self.file = file
    }

    /// The audio rendered into memory; `nil` if there is none.
    var recording: SampleBuffer? {
        lock.withLock {
            left.isEmpty
                ? nil : SampleBuffer(left: left, right: right, sampleRate: engine.configuration.sampleRate)
        }
    }

    /// Renders `frames` frames, feeding `players` before each block.
    ///
    /// - Complexity: O(*n*) in the frames.
    func render(_ frames: Int64, feeding players: [any StreamPlayer]) throws(AudioFileError) {
        let buffer = RenderBuffer(busCount: engine.configuration.busCount, frameCapacity: OfflineOutput.blockFrames)
        var left = frames
        while left > 0, !Task.isCancelled {
            left -= Int64(try renderBlock(into: buffer, atMost: left, feeding: players))
        }
    }

    private func renderBlock(
        into buffer: RenderBuffer, atMost left: Int64, feeding players: [any StreamPlayer]
    ) throws(AudioFileError) -> Int {
        turn.lock()
        defer { turn.unlock() }
        for player in players { player.feed() }
        let most = players.reduce(OfflineOutput.blockFrames) { min($0, $1.framesPerFeed) }
        let count = Int(min(left, Int64(most)))
        engine.render(into: buffer, frames: count)
        try keep(buffer.left, buffer.right, count)
        engine.events.deliver()
        return count
    }

    private func keep(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int
    ) throws(AudioFileError) {
        lock.lock()
        defer { lock.unlock() }
        if let file {
            try file.write(left: left, right: right, frames: frames)
        } else {
            self.left += UnsafeBufferPointer(start: left, count: frames)
            self.right += UnsafeBufferPointer(start: right, count: frames)
        }
    }

    /// Completes the file.
    func finish() throws(AudioFileError) {
        lock.lock()
        defer { lock.unlock() }
        try file?.finish()
    }
}
