import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation
import Synchronization

/// The buffers and files of an offline render.
final class RenderSinks {
    private let engine: Engine
    private let blockFrames: Int
    private let main: AudioFileWriter
    private var channels: [(index: Int, writer: AudioFileWriter)] = []
    private var buses: [AudioFileWriter] = []
    private let samples: UnsafeMutablePointer<Float>
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let busChannels: Int
    /// Frames that buses have before their first one: a limiter holds them back.
    private var lead: Int
    private let stripChannels: Int
    private let output: OfflineRender.Output
    private let sampleRate: SampleRate
    /// The files of inputs; `nil` where there are none.
    private var inputSinks: InputSinks?
    /// The first frame that is written.
    private let first: FrameTime

    init(
        _ player: SessionPlayer, output: OfflineRender.Output, sampleRate: SampleRate, blockFrames: Int,
        from first: FrameTime
    ) throws {
        self.output = output
        self.sampleRate = sampleRate
        engine = player.engine
        self.first = first
        self.blockFrames = blockFrames
        lead = engine.outputLatency
        busChannels = 2 * engine.configuration.busCount
        stripChannels = output.stemsFolder == nil ? 0 : 2 * engine.configuration.channelCount
        samples = .allocate(capacity: (busChannels + stripChannels) * blockFrames)
        samples.initialize(repeating: 0, count: (busChannels + stripChannels) * blockFrames)
        pointers = .allocate(capacity: busChannels + stripChannels)
        for channel in 0..<busChannels + stripChannels {
            (pointers + channel).initialize(to: samples + channel * blockFrames)
        }
        main = try AudioFileWriter(path: output.path, sampleRate: sampleRate, format: output.format)
    }

    /// Begins the files of strips: of those that the session has by now, as a recording track by track has them.
    func openStrips(of player: SessionPlayer, usesMetronome: Bool) throws {
        guard let folder = output.stemsFolder else { return }
        let (document, strips) = player.bound.withLock { ($0.document, $0.strips) }
        var renderedInputs: [(SessionStrip, AudioFileWriter)] = []
        for strip in strips {
            if strip.isOptional, !RenderSinks.sounds(strip, in: document, usesMetronome) { continue }
            let path = RenderedFile.path(of: strip.name, in: folder)
            let writer = try AudioFileWriter(path: path, sampleRate: sampleRate, format: output.format)
            switch strip.strip {
            case .channel(let channel): channels.append((engine.configuration.index(of: channel), writer))
            case .bus: buses.append(writer)
            case .input: renderedInputs.append((strip, writer))
            }
        }
        if !renderedInputs.isEmpty { inputSinks = try InputSinks(renderedInputs, engine, blockFrames: blockFrames) }
    }

    /// Whether a part that may not sound at all may do so.
    static func sounds(_ strip: SessionStrip, in document: SessionDocument, _ usesMetronome: Bool) -> Bool {
        switch strip.strip {
        case .channel(.metronome): usesMetronome
        case .channel(.playlist): !document.playlist.isEmpty
        default:
            SessionParts.all.contains { part in
                !document.isEmpty(part)
                    && part.strips.contains { RecordedStrip.channel($0.place.channel) == strip.strip }
            }
        }
    }

    deinit {
        samples.deallocate()
        pointers.deallocate()
    }

    /// Renders frames and writes them, so that all files begin with the same one; in the tail only what buses still
    /// hold back.
    ///
    /// - Parameters:
    ///   - frames: how many.
    ///   - isTail: whether all of them are behind `end`.
    ///   - end: the frame after the last one that is written.
    /// - Throws: ``AudioFileError`` if a file can't be written.
    func render(frames: Int, isTail: Bool, end: FrameTime) throws(AudioFileError) {
        play(frames: frames)
        try writeInputs(until: end)
        let skipped = min(lead, frames)
        lead -= skipped
        try write(main, channel: 0, skipped..<frames)
        for (index, writer) in buses.enumerated() { try write(writer, channel: 2 * index, skipped..<frames) }
        if isTail { return }
        try writeChannels(frames)
    }

    private func writeInputs(until end: FrameTime) throws(AudioFileError) {
        try inputSinks?.write(first..<max(first, end))
    }

    /// Renders on until what was played before `end` has come through the inputs, and completes their files.
    func finishInputs(until end: FrameTime) throws(AudioFileError) {
        guard let inputSinks else { return }
        var left = Int(end + inputSinks.lateness - engine.state.frame)
        while left > 0 {
            let count = min(left, blockFrames)
            play(frames: count)
            try writeInputs(until: end)
            left -= count
        }
        try inputSinks.finish(frames: end - first)
    }

    /// Writes what every channel has, several at a time: each file is its own.
    private func writeChannels(_ frames: Int) throws(AudioFileError) {
        if channels.isEmpty { return }
        let problem = Mutex<AudioFileError?>(nil)
        nonisolated(unsafe) let sinks = self
        DispatchQueue.concurrentPerform(iterations: channels.count) { place in
            let (index, writer) = sinks.channels[place]
            do throws(AudioFileError) {
                try sinks.write(writer, channel: sinks.busChannels + 2 * index, 0..<frames)
            } catch {
                problem.withLock { $0 = $0 ?? error }
            }
        }
        if let error = problem.withLock({ $0 }) { throw error }
    }

    /// What was over full scale, file by file.
    var overs: [OfflineRender.FileOvers] {
        ([main] + buses + channels.map(\.writer)).filter { $0.overs.count > 0 }.map {
            OfflineRender.FileOvers(path: $0.path, isCutOff: $0.format != .float32, overs: $0.overs)
        }
    }

    /// Renders frames that are not written; where what they leave behind is not audible, without their sound.
    func play(frames: Int, isPreroll: Bool = false) {
        var block = AudioBlock(outputs: UnsafePointer(pointers), outputCount: busChannels, frames: frames)
        block.isPreroll = isPreroll
        if stripChannels > 0 {
            // A track that is silent for a whole block writes nothing.
            (samples + busChannels * blockFrames).update(repeating: 0, count: stripChannels * blockFrames)
            block.channelOutputs = UnsafePointer(pointers + busChannels)
        }
        engine.render(block)
        inputSinks?.collect(renderedTo: engine.state.frame, from: first)
    }

    private func write(_ writer: AudioFileWriter, channel: Int, _ frames: Range<Int>) throws(AudioFileError) {
        let left = samples + channel * blockFrames + frames.lowerBound
        try writer.write(left: left, right: left + blockFrames, frames: frames.count)
    }

    func finish() throws(AudioFileError) {
        try main.finish()
        for writer in buses + channels.map(\.writer) { try writer.finish() }
    }
}
