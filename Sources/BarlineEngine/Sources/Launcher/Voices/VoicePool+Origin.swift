import BarlineDSP
import BarlineTime

/// The origins of clips that start, which follow from their boundary.
extension VoicePool {
    /// Creates a voice that starts `clip` on a boundary, after the voice that plays there until then, or −1; and
    /// returns its position there, in source frames.
    @_noLocks mutating func cue(
        _ clip: Int, _ content: UnsafePointer<ClipContent>, at boundary: Beat, after outgoing: Int,
        _ timeline: borrowing Timeline
    ) -> (voice: ClipVoice, offset: Double) {
        var voice = ClipVoice(content: content)
        voice.clip = clip
        voice.gain = Ramp(constant: content.pointee.gain)
        let offset = setOrigin(of: &voice, at: boundary, after: outgoing, timeline)
        return (voice, offset)
    }

    /// Sets the voice's origin, where the clip is at its first frame, and returns its position on the boundary, in
    /// source frames.
    @_noLocks private mutating func setOrigin(
        of voice: inout ClipVoice, at boundary: Beat, after outgoing: Int, _ timeline: borrowing Timeline
    ) -> Double {
        let content = voice.content.pointee
        if outgoing >= 0 { reanchorIfStale(voice: outgoing, timeline) }
        voice.launchBeat = boundary
        voice.launch = timeline.tempo.position(of: boundary)
        if content.isSynced {
            switch content.startPosition {
            case .fromStart: voice.originBeat = boundary
            case .synced: voice.originBeat = Beat(rawValue: 0)
            case .legato: voice.originBeat = outgoing < 0 ? boundary : legatoOrigin(voices[outgoing], at: boundary)
            }
            let cycles = (boundary - voice.originBeat) / content.beats
            voice.originBeat = voice.originBeat - content.firstBeat
            if !content.loops { return cycles * Double(content.region.length) }
            return (cycles - ClipContent.wholeCycles(cycles)) * Double(content.region.length)
        }
        let start = voice.launch
        switch content.startPosition {
        case .fromStart: voice.origin = start
        case .synced: voice.origin = timeline.tempo.position(of: Beat(rawValue: 0))
        case .legato:
            voice.origin = start
            if outgoing >= 0 {
                let seconds = sourcePosition(ofVoice: outgoing, timeline) / voices[outgoing].content.pointee.sourceRate
                // That is where the other one is now, which may be past the boundary.
                voice.origin = FramePosition(timeline.now, offset: -seconds * timeline.sampleRate.hertz)
            }
        }
        return (start - voice.origin) * content.sourceRate / timeline.sampleRate.hertz
    }

    /// The origin of a clip's first beat at which it has, in beats, the same position as `outgoing` has within its loop
    /// at `boundary`.
    @_noLocks private func legatoOrigin(_ outgoing: ClipVoice, at boundary: Beat) -> Beat {
        let content = outgoing.content.pointee
        if !content.isSynced { return boundary }
        let first = outgoing.originBeat + content.firstBeat
        let cycles = ClipContent.wholeCycles((boundary - first) / content.beats)
        return content.loops ? first + cycles * content.beats : first
    }
}

extension ClipVoice {
    /// The same voice with its clip's new content, after what it was before: at the same origin, or at that of another
    /// start position or measure.
    @_noLocks func playing(
        _ content: UnsafePointer<ClipContent>, after before: ClipContent, _ timeline: borrowing Timeline
    ) -> ClipVoice {
        var voice = self
        voice.originBeat = originBeat + before.firstBeat
        voice.moveOrigin(to: content.pointee, after: before, timeline)
        voice.originBeat = voice.originBeat - content.pointee.firstBeat
        // A gain set while the clip plays persists unless the settings' own gain changes.
        if before.gain != content.pointee.gain { voice.gain = Ramp(constant: content.pointee.gain) }
        voice.content = content
        return voice
    }

    /// Moves the origin if `content` has another start position, or begins or ceases to follow the tempo: to where the
    /// clip would be, had that been so since its launch.
    @_noLocks private mutating func moveOrigin(
        to content: ClipContent, after old: ClipContent, _ timeline: borrowing Timeline
    ) {
        let isSameMeasure = old.isSynced == content.isSynced
        switch (old.startPosition, content.startPosition) {
        case (.fromStart, .fromStart) where isSameMeasure, (.synced, .synced) where isSameMeasure,
            (_, .legato) where isSameMeasure:
            break
        case (_, .fromStart):
            originBeat = launchBeat
            origin = launch
        case (_, .synced):
            originBeat = Beat(rawValue: 0)
            origin = timeline.tempo.position(of: Beat(rawValue: 0))
        case (_, .legato):
            // The position it took over at its launch is kept, in source frames.
            let scale = old.sourceScale / content.sourceScale
            if content.isSynced {
                let lead = (launch - origin) * old.sourceRate / timeline.sampleRate.hertz * scale
                originBeat = launchBeat - content.beat(atPosition: lead)
            } else {
                let lead = old.position(atBeat: launchBeat - originBeat) * scale
                origin = launch - lead * timeline.sampleRate.hertz / content.sourceRate
            }
        }
    }
}
