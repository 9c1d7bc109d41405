import BarlineDSP
import BarlineEngine
import BarlineTime
import NIOCore

/// Positions, meters and beats as bytes; docs/protocol.md has the layout.
struct PositionFrame {
    let state: EngineState
    let layout: PositionLayout
    let time: Double
    let facts: OutputFacts
    let isRecording: Bool

    func encoded() -> ByteBuffer {
        let beats = state.recentBeats.suffix(16) + state.upcomingBeats
        let size =
            104 + 48 * layout.tracks.count + 16 * (layout.stems.count + beats.count) + 40 + 24 * layout.outputCount
            + layout.parts.reduce(0) { $0 + $1.size } + 8 + 8 * layout.inputs.count
        var buffer = ByteBufferAllocator().buffer(capacity: size)
        writeHeader(&buffer, beatCount: beats.count)
        for track in layout.tracks { write(state.tracks[track.rawValue], &buffer) }
        for stem in layout.stems {
            let strip = state.stems[stem.rawValue]
            buffer.write(strip.meter)
            buffer.writeFlags(strip)
            buffer.writeInteger(UInt32(0), endianness: .little)
        }
        for beat in beats {
            buffer.write(Double(beat.frame.rawValue))
            buffer.writeInteger(Int32(clamping: beat.bar), endianness: .little)
            buffer.writeInteger(UInt16(clamping: beat.pulse), endianness: .little)
            buffer.writeInteger(UInt16(beat.isAccented ? 1 : 0), endianness: .little)
        }
        write(state.playlist, &buffer)
        writeOutputs(&buffer)
        // What comes after something has its place by that, so it is there where anything after it is.
        let hasInputs = !layout.inputs.isEmpty
        let count = hasInputs ? layout.parts.count : (layout.parts.lastIndex { !$0.isEmpty } ?? -1) + 1
        for part in layout.parts.prefix(count) { part.write(state, &buffer) }
        if hasInputs { writeInputs(&buffer) }
        return buffer
    }

    private func writeInputs(_ buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(clamping: layout.inputs.count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        for input in layout.inputs { buffer.write(state.inputs[input.rawValue]) }
    }

    private func writeOutputs(_ buffer: inout ByteBuffer) {
        let count = min(layout.outputCount, state.buses.count)
        buffer.writeInteger(UInt32(clamping: count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        for index in 0..<count {
            let limiter = state.limiters.isEmpty ? .idle : state.limiters[index]
            buffer.write(state.buses[index])
            buffer.write(limiter.gain)
            buffer.write(limiter.lowestGain)
            buffer.writeInteger(UInt32(clamping: limiter.overCount), endianness: .little)
            buffer.write(limiter.peak)
        }
    }

    private func writeHeader(_ buffer: inout ByteBuffer, beatCount: Int) {
        let transport = state.transport
        var flags: UInt8 = transport.isRolling ? 1 : 0
        if state.isMetronomeOn { flags |= 2 }
        if facts.status != "running" { flags |= 4 }
        if isRecording { flags |= 8 }
        buffer.writeInteger(UInt8(1))
        buffer.writeInteger(flags)
        for count in [layout.tracks.count, layout.stems.count, beatCount] {
            buffer.writeInteger(UInt16(clamping: count), endianness: .little)
        }
        for value in [
            Double(state.frame.rawValue), time, transport.beat.rawValue, transport.tempo.beatsPerMinute,
            transport.songPosition.rawValue, state.multitrack.position,
        ] {
            buffer.write(value)
        }
        buffer.write(Float(facts.latency))
        buffer.write(Float(state.sampleRate.hertz))
        buffer.writeInteger(Int32(clamping: transport.bar), endianness: .little)
        buffer.writeInteger(UInt8(clamping: transport.pulse))
        buffer.writeInteger(UInt8(clamping: transport.timeSignature.numerator))
        buffer.writeInteger(UInt8(clamping: transport.timeSignature.denominator))
        buffer.writeInteger(UInt8(clamping: state.multitrack.phase.rawValue))
        buffer.write(Float(facts.loudness))
        buffer.write(state.metronome.meter)
        let main = state.buses[0]
        for level in [main.peakLeft, main.peakRight, main.rmsLeft, main.rmsRight] { buffer.write(level) }
        buffer.writeInteger(UInt32(clamping: state.voicesInUse), endianness: .little)
    }

    private func write(_ track: EngineState.Track, _ buffer: inout ByteBuffer) {
        var queued: Int32 = -1
        var boundary = 0.0
        if let waiting = track.queued {
            queued = waiting.clip.map { Int32(clamping: $0.rawValue) } ?? -2
            boundary = Double((state.frame + waiting.framesLeft).rawValue)
        }
        buffer.writeInteger(track.playing.map { Int32(clamping: $0.clip.rawValue) } ?? -1, endianness: .little)
        buffer.writeInteger(queued, endianness: .little)
        buffer.write(boundary)
        buffer.write(track.playing?.progress ?? 0)
        buffer.write(track.playing.map { layout.progressPerFrame(of: $0.clip, state) } ?? 0)
        buffer.writeInteger(Int32(clamping: track.playing?.iteration ?? 0), endianness: .little)
        buffer.writeFlags(track.strip)
        buffer.write(track.strip.meter)
    }

    private func write(_ playlist: EngineState.Playlist, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(playlist.currentItem.map { Int32(clamping: $0.rawValue) } ?? -1, endianness: .little)
        buffer.writeInteger(UInt32(clamping: playlist.phase.rawValue), endianness: .little)
        buffer.write(playlist.position)
        buffer.write(state.playlistStrip.meter)
        buffer.writeFlags(state.playlistStrip)
        buffer.writeInteger(UInt32(0), endianness: .little)
    }
}
