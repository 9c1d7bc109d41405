import BarlineDSP
import BarlineTime

/// The sound of a clip whose pitch is kept, computed ahead: while it is kept, loading the clip takes no time.
package struct ClipSound: Sendable {
    private let clip: PitchedClip?

    init(of buffer: SampleBuffer, settings: ClipSettings, for preparation: ClipPreparation) {
        let frames = settings.region ?? 0..<buffer.frameCount
        let regions = ClipRegions(of: buffer, frames: frames, loops: settings.loops, isRead: false)
        defer {
            regions.seam.deallocate()
            regions.wrap?.deallocate()
        }
        clip = PitchedClips.clip(regions.lead, of: buffer, frames: frames, settings, for: preparation)
    }
}
