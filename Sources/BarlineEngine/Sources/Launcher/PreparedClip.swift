import BarlineDSP
import BarlineTime
import Synchronization

/// The owner of what a ``ClipContent`` points to, on the control side.
final class PreparedClip: @unchecked Sendable {
    let content: UnsafePointer<ClipContent>
    /// The memory that it is recorded into, if it is a take.
    let take: TakeMemory?
    private let audibleFlag: UnsafeMutablePointer<AudibleFlag>
    private let ownSettings: ClipSettings
    let buffer: SampleBuffer
    /// The parts of its file that are in memory, if it is streamed.
    let stream: PreparedStream?
    /// The window that is in memory as a whole for it.
    private let held: ClipWindow?
    private let seam: UnsafeMutablePointer<Float>
    /// The midpoints of a part of a long buffer; a short buffer owns its midpoints itself.
    private let midpoints: Midpoints?
    private let wrap: LoopWrap?
    private let pitched: PitchedClip?
    private let marks: ClipMarks?
    private let warp: ClipWarp?

    private static let serials = Atomic(0)

    private static func nextSerial() -> Int { serials.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Prepares a clip for an engine; one that is what ``ClipContent/serial`` `basis` is but for its start position, unless
    /// that is 0.
    init(buffer: SampleBuffer, settings: ClipSettings, for preparation: ClipPreparation, basis: Int = 0) {
        let sampleRate = preparation.sampleRate
        let frames = settings.region ?? 0..<buffer.frameCount
        let isSynced = settings.playback != .original && settings.beats != nil
        let beats = isSynced ? settings.beats ?? 0 : 0
        let first = frames.lowerBound
        let window = buffer.partial as? ClipWindow
        // What is stretched is prepared as a whole.
        stream =
            settings.playback == .stretch
            ? nil
            : window.map {
                PreparedStream($0, region: frames, loops: settings.loops, voiceCount: preparation.voiceCount)
            }
        held = settings.playback == .stretch ? window : nil
        held?.pin(0..<buffer.frameCount)
        let isRead = settings.playback != .stretch && (isSynced || buffer.sampleRate != sampleRate)
        let regions = ClipRegions(of: buffer, frames: frames, loops: settings.loops, isRead: isRead)
        (seam, midpoints, wrap) = (regions.seam, regions.midpoints, regions.wrap)
        pitched =
            settings.playback == .stretch
            ? PitchedClips.clip(regions.lead, of: buffer, frames: frames, settings, for: preparation) : nil
        let played = pitched?.region ?? regions.played
        let lead = pitched?.region ?? regions.lead
        let scale = pitched?.scale ?? 1
        let sourceRate = buffer.sampleRate.hertz / scale
        let firstBeat = isSynced && settings.loops ? settings.firstBeat : 0
        warp =
            isSynced
            ? ClipWarp(
                settings.warp.map { WarpKnot(position: Double($0.frame - first) / scale, beat: $0.beat) },
                length: played.length, beats: beats, loops: settings.loops) : nil
        let map = warp?.map ?? .none
        let place = map.isNone ? firstBeat / beats * Double(played.length) : map.position(atBeat: firstBeat)
        if place > 0 { stream?.pinHead(at: first + Int(place)) }
        marks =
            settings.playback == .stretch
            ? ClipMarks(
                settings.cutOnsets(in: frames, of: buffer).map { Double($0 - first) / scale },
                weak: settings.weakOnsets(in: frames, of: buffer).map { Double($0 - first) / scale }, of: played,
                start: beats > 0 ? place : 0, scale: scale, heard: scale * sampleRate.hertz / buffer.sampleRate.hertz,
                sampleRate: sampleRate) : nil
        let storage = UnsafeMutablePointer<ClipContent>.allocate(capacity: 1)
        storage.initialize(
            to: ClipContent(
                region: played, leadRegion: lead, sourceRate: sourceRate, sourceScale: scale,
                stream: stream?.content,
                stretch: ClipStretch(
                    marks, style: settings.stretch.style(settings.stretchMode, sampleRate: sampleRate),
                    pitchRate: pitched == nil ? buffer.sampleRate : sampleRate), beats: beats,
                warp: map, firstBeat: firstBeat,
                tempo: Tempo.beatsPerMinute(of: beats, inFrames: Double(played.length), rate: sourceRate),
                gain: Float(settings.gain.amplitude), track: settings.track.rawValue, loops: settings.loops,
                fades: ClipFades(settings, buffer: buffer, region: frames), launchMode: settings.launchMode,
                startPosition: settings.startPosition, hasQuantization: settings.quantization != nil,
                quantization: settings.quantization ?? .none))
        storage.pointee.serial = PreparedClip.nextSerial()
        storage.pointee.basis = basis
        audibleFlag = PreparedClip.flag(of: storage)
        content = UnsafePointer(storage)
        ownSettings = settings
        take = nil
        self.buffer = buffer
    }

    /// Prepares a clip that is yet to be recorded: a loop that begins at its first frame; or, given the settings of a
    /// clip, layer number `serial` of it.
    init(
        _ clip: Int, _ settings: TakeSettings, channels: Int, sampleRate: SampleRate, serial: Int = -1,
        layerOf loop: ClipSettings? = nil
    ) {
        seam = .allocate(capacity: 1)
        (midpoints, wrap, pitched, marks, warp) = (nil, nil, nil, nil, nil)
        (stream, held) = (nil, nil)
        let storage = UnsafeMutablePointer<ClipContent>.allocate(capacity: 1)
        let memory = TakeMemory(
            clip: clip, input: settings.input.rawValue, bars: settings.bars ?? 0, channels: channels,
            seconds: settings.longestSeconds, sampleRate: sampleRate, content: storage, serial: serial,
            saysTempo: settings.saysTempo)
        let region = memory.take.pointee.memory.region(length: 1, seam: 0)
        let own = loop ?? settings.clip
        storage.initialize(
            to: ClipContent(
                region: region, leadRegion: region, sourceRate: sampleRate.hertz, sourceScale: 1, stream: nil,
                stretch: ClipStretch(nil, pitchRate: sampleRate), beats: 1, warp: .none, firstBeat: 0,
                tempo: 60,
                gain: Float(own.gain.amplitude), track: own.track.rawValue, loops: true, fades: ClipFades(),
                launchMode: own.launchMode, startPosition: own.startPosition,
                hasQuantization: own.quantization != nil, quantization: own.quantization ?? .none))
        storage.pointee.serial = PreparedClip.nextSerial()
        audibleFlag = PreparedClip.flag(of: storage)
        content = UnsafePointer(storage)
        ownSettings = own
        take = memory
        buffer = SampleBuffer(memory.storage, frameCount: memory.storage.capacity, sampleRate: sampleRate)
    }

    /// Everything about it except its samples; for a take, with its recorded length.
    var settings: ClipSettings {
        guard let result = take?.result else { return ownSettings }
        var settings = ownSettings
        settings.region = result.region
        settings.beats = result.beats
        settings.warp = take.map { Array($0.warp.dropFirst().dropLast()) } ?? []
        if take?.isLayer == true {
            settings.firstBeat = Double(result.firstBeat) / Double(result.region.count) * result.beats
        }
        return settings
    }

    /// Gives content a flag for whether it is the layer that its clip plays.
    private static func flag(of content: UnsafeMutablePointer<ClipContent>) -> UnsafeMutablePointer<AudibleFlag> {
        let flag = UnsafeMutablePointer<AudibleFlag>.allocate(capacity: 1)
        flag.initialize(to: AudibleFlag())
        content.pointee.layers.audibleFlag = UnsafePointer(flag)
        return flag
    }

    /// Whether it is the layer that its clip plays.
    var isAudible: Bool { audibleFlag.pointee.isAudible.load(ordering: .acquiring) }

    deinit {
        audibleFlag.deinitialize(count: 1)
        audibleFlag.deallocate()
        content.deallocate()
        seam.deallocate()
        wrap?.deallocate()
        midpoints?.deallocate()
        marks?.deallocate()
        warp?.deallocate()
        held?.unpin(0..<buffer.frameCount)
    }
}
