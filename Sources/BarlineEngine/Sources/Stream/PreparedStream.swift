import BarlineDSP
import BarlineTime
import CRealtime
import Synchronization

/// The owner of what a ``ClipStream`` points to, on the control side: a clip that plays a part of a ``ClipWindow``.
final class PreparedStream: ClipWindow.User, @unchecked Sendable {
    let window: ClipWindow
    let content: ClipStream
    private let region: Range<Int64>
    private let loops: Bool
    private let places: UnsafeMutablePointer<ClipStream.Place>
    private let placeCount: Int
    private let usedPlaces: UnsafeMutablePointer<Atomic<Int>>
    private let pinned: ControlLock<[Range<Int>]>
    private let activity = ControlLock(Activity()) { $0.checkInvariants() }

    private struct Activity {
        /// The number of publications of the launch's place, and when it was found to have changed, on the monotonic
        /// clock.
        var publications = 0
        var changed = Int64.min
        var isAtRest: (@Sendable () -> Bool)?

        /// Whether a change was noted if there was a publication.
        func checkInvariants() -> Bool { publications == 0 || changed > .min }
    }

    /// How long a launch that is not announced any more is prepared for.
    private static let launchNanoseconds: Int64 = 2_000_000_000
    /// The length that is always in memory from each place on at which a clip starts, in seconds of the file.
    private static let headSeconds = 2.0
    /// The length before it, for a lead-in.
    private static let leadSeconds = 0.1

    /// - Parameters:
    ///   - window: the file.
    ///   - region: the frames that the clip plays.
    ///   - loops: whether it is a loop.
    ///   - voiceCount: the number of voices that can play it at a time.
    init(_ window: ClipWindow, region: Range<Int>, loops: Bool, voiceCount: Int) {
        self.window = window
        placeCount = voiceCount + 1
        let places = UnsafeMutablePointer<ClipStream.Place>.allocate(capacity: placeCount)
        for place in 0..<placeCount { (places + place).initialize(to: ClipStream.Place()) }
        self.places = places
        usedPlaces = .allocate(capacity: 1)
        usedPlaces.initialize(to: Atomic(1))
        self.region = Int64(region.lowerBound)..<Int64(region.upperBound)
        self.loops = loops
        content = ClipStream(
            places: places, placeCount: placeCount, usedPlaces: usedPlaces, chunks: window.chunks, region: region,
            frameCount: window.frameCount, loops: loops)
        pinned = ControlLock([])
        window.add(self)
        let beside = Int(ClipStream.reach) + Int(window.sampleRate.frames(seconds: SeamFade.longest))
        if region.count <= ClipWindow.longestHeld {
            pin(region.lowerBound - beside..<region.upperBound + beside)
        } else {
            pin(region.upperBound - 2 * beside..<region.upperBound + beside)
        }
        pinHead(at: region.lowerBound)
        ClipFeeder.shared.add(self)
    }

    deinit {
        ClipFeeder.shared.remove(self)
        window.remove(self)
        for frames in pinned.withLock({ $0 }) { window.unpin(frames) }
        window.clean()
        places.deinitialize(count: placeCount)
        places.deallocate()
        usedPlaces.deinitialize(count: 1)
        usedPlaces.deallocate()
    }

    private func pin(_ frames: Range<Int>) {
        window.pin(frames)
        pinned.withLock { $0.append(frames) }
    }

    /// Keeps what is played first from a frame of the file on in memory.
    func pinHead(at frame: Int) {
        let lead = Int(window.sampleRate.frames(seconds: PreparedStream.leadSeconds)) + Int(ClipStream.reach)
        pin(frame - lead..<frame + Int(window.sampleRate.frames(seconds: PreparedStream.headSeconds)))
    }

    /// Sets what says that nothing is played or launched.
    func watch(_ isAtRest: @escaping @Sendable () -> Bool) { activity.withLock { $0.isAtRest = isAtRest } }

    /// Whether nothing is played or launched.
    var isAtRest: Bool { activity.withLock { $0.isAtRest }?() ?? false }

    /// Whether the launch that is announced is still to come.
    private var isLaunchNear: Bool {
        let publications = content.publications(at: ClipStream.launchPlace)
        return activity.withLock { activity in
            if activity.publications != publications {
                activity.publications = publications
                activity.changed = rt_monotonic_nanoseconds()
            }
            return activity.changed > rt_monotonic_nanoseconds() - PreparedStream.launchNanoseconds
        }
    }

    func needs(_ frames: Range<Int64>) -> Bool {
        for place in 0..<content.usedCount where needs(frames, at: place) {
            if place != ClipStream.launchPlace || isLaunchNear { return true }
        }
        return false
    }

    /// Whether the frames needed at a place, or a chunk beside them, are among `frames` of the file.
    private func needs(_ frames: Range<Int64>, at place: Int) -> Bool {
        let (from, until) = content.needed(at: place)
        if until <= from { return false }
        let (low, high) = (from - ClipStream.chunkFrames, until + ClipStream.chunkFrames)
        let first = region.lowerBound
        if !loops { return (first + low..<first + high).overlaps(frames) }
        let length = Int64(region.count)
        if high - low >= length { return region.overlaps(frames) }
        let start = content.fileFrame(at: low).frame
        let end = start + high - low
        return (start..<end).overlaps(frames) || (start - length..<end - length).overlaps(frames)
    }

    /// The chunk that is needed first, and the number of frames until then; `nil` if all are in memory.
    var mostUrgent: (chunk: Int, lead: Int64)? {
        var urgent: (chunk: Int, lead: Int64)?
        for place in 0..<content.usedCount {
            let (from, until) = content.needed(at: place)
            if until <= from { continue }
            let lead = content.presentFrames(from: from, until: until)
            if lead >= until - from || lead >= urgent?.lead ?? .max { continue }
            if place == ClipStream.launchPlace, !isLaunchNear { continue }
            let frame = content.fileFrame(at: from + lead).frame
            if frame >= 0 { urgent = (Int(frame / ClipStream.chunkFrames), lead) }
        }
        return urgent
    }
}
