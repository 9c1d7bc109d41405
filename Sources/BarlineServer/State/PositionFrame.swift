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
            104 + 48 * layout.tracks.count + 16 * (layout.stems.count + beats.count) + 40 + 24 * layout.outputCount + 24
            + 16 * layout.pads.count + 8 + 8 * layout.inputs.count
        var buffer = ByteBufferAllocator().buffer(capacity: size)
        writeHeader(&buffer, beatCount: beats.count)
        for track in layout.tracks { write(state.tracks[track.rawValue], &buffer) }
        for stem in layout.stems {
            let strip = state.stems[stem.rawValue]
            write(strip.meter, &buffer)
            buffer.writeInteger(flags(strip), endianness: .little)
            buffer.writeInteger(UInt32(0), endianness: .little)
        }
        for beat in beats {
            write(Double(beat.frame.rawValue), &buffer)
            buffer.writeInteger(Int32(clamping: beat.bar), endianness: .little)
            buffer.writeInteger(UInt16(clamping: beat.pulse), endianness: .little)
            buffer.writeInteger(UInt16(beat.isAccented ? 1 : 0), endianness: .little)
        }
        write(state.playlist, &buffer)
        writeOutputs(&buffer)
        if !layout.pads.isEmpty || !layout.inputs.isEmpty { writePads(&buffer) }
        if !layout.inputs.isEmpty { writeInputs(&buffer) }
        return buffer
    }

    private func writeInputs(_ buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(clamping: layout.inputs.count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        for input in layout.inputs { write(state.inputs[input.rawValue], &buffer) }
    }

    private func writePads(_ buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(clamping: layout.pads.count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        write(state.padStrip.meter, &buffer)
        buffer.writeInteger(flags(state.padStrip), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        for handle in layout.pads {
            let pad = handle.map { state.pads[$0.rawValue] }
            buffer.writeInteger(UInt32(truncatingIfNeeded: pad?.hits ?? 0), endianness: .little)
            buffer.writeInteger(UInt16(clamping: pad?.voices ?? 0), endianness: .little)
            buffer.writeInteger(UInt16(clamping: pad?.waiting ?? 0), endianness: .little)
            write(pad?.velocity ?? 0, &buffer)
            write(pad?.progress ?? 0, &buffer)
        }
    }

    private func writeOutputs(_ buffer: inout ByteBuffer) {
        let count = min(layout.outputCount, state.buses.count)
        buffer.writeInteger(UInt32(clamping: count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        for index in 0..<count {
            let limiter = state.limiters.isEmpty ? .idle : state.limiters[index]
            write(state.buses[index], &buffer)
            write(limiter.gain, &buffer)
            write(limiter.lowestGain, &buffer)
            buffer.writeInteger(UInt32(clamping: limiter.overCount), endianness: .little)
            write(limiter.peak, &buffer)
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
            write(value, &buffer)
        }
        write(Float(facts.latency), &buffer)
        write(Float(state.sampleRate.hertz), &buffer)
        buffer.writeInteger(Int32(clamping: transport.bar), endianness: .little)
        buffer.writeInteger(UInt8(clamping: transport.pulse))
        buffer.writeInteger(UInt8(clamping: transport.timeSignature.numerator))
        buffer.writeInteger(UInt8(clamping: transport.timeSignature.denominator))
        buffer.writeInteger(UInt8(clamping: state.multitrack.phase.rawValue))
        write(Float(facts.loudness), &buffer)
        write(state.metronome.meter, &buffer)
        let main = state.buses[0]
        for level in [main.peakLeft, main.peakRight, main.rmsLeft, main.rmsRight] { write(level, &buffer) }
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
        write(boundary, &buffer)
        write(track.playing?.progress ?? 0, &buffer)
        write(track.playing.map { layout.progressPerFrame(of: $0.clip, state) } ?? 0, &buffer)
        buffer.writeInteger(Int32(clamping: track.playing?.iteration ?? 0), endianness: .little)
        buffer.writeInteger(flags(track.strip), endianness: .little)
        write(track.strip.meter, &buffer)
    }

    private func write(_ playlist: EngineState.Playlist, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(playlist.currentItem.map { Int32(clamping: $0.rawValue) } ?? -1, endianness: .little)
        buffer.writeInteger(UInt32(clamping: playlist.phase.rawValue), endianness: .little)
        write(playlist.position, &buffer)
        write(state.playlistStrip.meter, &buffer)
        buffer.writeInteger(flags(state.playlistStrip), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
    }

    private func flags(_ strip: EngineState.Strip) -> UInt32 { (strip.isMuted ? 1 : 0) | (strip.isSoloed ? 2 : 0) }

    private func write(_ meter: MeterReading, _ buffer: inout ByteBuffer) {
        write(meter.peakLeft, &buffer)
        write(meter.peakRight, &buffer)
    }

    private func write(_ value: Double, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(value.bitPattern, endianness: .little)
    }

    private func write(_ value: Float, _ buffer: inout ByteBuffer) {
        buffer.writeInteger(value.bitPattern, endianness: .little)
    }
}
