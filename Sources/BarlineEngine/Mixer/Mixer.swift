import BarlineDSP
import BarlineTime

/// The mixer: the strips of the channels, the buses on which they are summed and to which they are sent, the effects of
/// both, and the limiters behind the buses.
///
/// For each ``BlockSlice`` the renderer calls ``begin(_:)``, then for every channel in a fixed order
/// ``mix(channel:_:_:)`` or ``rest(channel:_:_:)``, then ``finish(_:)``. Time is passed as an argument: the mixer has
/// no timeline.
struct Mixer: ~Copyable, @unchecked Sendable {
    // First, because ThreadSanitizer takes the first property as the address written to, and the compiler crashes if it
    // is not a pointer (Swift 6.3.1); what it points to must belong to the audio thread.
    let strips: UnsafeMutablePointer<ChannelStrip>
    let layout: ChannelLayout
    /// The number of channels in use: the tracks, those of parts, the loaded stems.
    private(set) var channelCount: Int
    /// Whether a channel waits to be rerouted to another bus.
    var isMoveWaiting = false
    /// The number of soloed channels.
    var soloCount = 0
    /// Whether a command at the present frame requires an update of other channels' levels, and over how many frames.
    var areLevelsStale = false
    var staleFade: Int64 = 0
    /// The number of strip updates so far: a measure of what commands cost.
    var stripAdvances = 0
    /// Whether a parameter of a strip or a bus follows a ramp that has a length.
    var isMoving = false

    /// The sends of the channels, one to each bus.
    let sends: UnsafeMutablePointer<Send>

    let busCount: Int
    let buses: UnsafeMutablePointer<BusState>
    /// One limiter per bus, or none.
    let limiters: UnsafeMutablePointer<Limiter>
    let limiterCount: Int
    /// The effects of the channels, then those of the buses.
    let chains: UnsafeMutablePointer<Chain>
    private let effectPlaces: UnsafeMutablePointer<EffectPlace>
    /// The sound before an effect, kept while the effect fades.
    let dry: StereoBuffer
    /// Whether there has ever been an effect.
    var hasEffects = false
    /// The ring on which effects are retired to the control side.
    let retired: SPSCRing<UInt>.Producer
    private(set) var sampleRate: SampleRate
    /// Left and right of every bus, ``BlockSlice/largestCount`` each.
    private let sums: UnsafeMutablePointer<Float>
    /// Left and right of every track that inputs record, likewise.
    private let taps: UnsafeMutablePointer<Float>
    /// Fades the outputs in after a device was lost.
    var presence = Ramp(constant: 1)
    /// The tap of the main bus.
    let tap: AudioRing.Producer?
    /// The rings of the strips that are recorded; `nil` if none are.
    var recording: UnsafeMutablePointer<StripTaps>?

    init(
        _ configuration: EngineConfiguration, _ layout: ChannelLayout, tap: AudioRing.Producer?,
        retired: SPSCRing<UInt>.Producer
    ) {
        self.layout = layout
        channelCount = layout.firstStem
        strips = .allocate(capacity: layout.count)
        strips.initialize(repeating: ChannelStrip(), count: layout.count)
        busCount = configuration.busCount
        buses = .allocate(capacity: busCount)
        buses.initialize(repeating: BusState(), count: busCount)
        sends = .allocate(capacity: layout.count * busCount)
        sends.initialize(repeating: Send(), count: layout.count * busCount)
        limiterCount = configuration.limiter == nil ? 0 : busCount
        limiters = .allocate(capacity: limiterCount)
        if let limiter = configuration.limiter {
            for bus in 0..<busCount {
                (limiters + bus).initialize(to: Limiter(limiter, sampleRate: configuration.sampleRate))
            }
        }
        sums = .allocate(capacity: 2 * busCount * BlockSlice.largestCount)
        sums.initialize(repeating: 0, count: 2 * busCount * BlockSlice.largestCount)
        taps = .allocate(capacity: 2 * layout.count * BlockSlice.largestCount)
        taps.initialize(repeating: 0, count: 2 * layout.count * BlockSlice.largestCount)
        let chainCount = layout.count + busCount
        effectPlaces = .allocate(capacity: chainCount * Chain.placeCount)
        chains = .allocate(capacity: chainCount)
        for chain in 0..<chainCount {
            (chains + chain).initialize(to: Chain(places: effectPlaces + chain * Chain.placeCount))
        }
        dry = StereoBuffer(
            left: .allocate(capacity: EffectBlock.frameCount), right: .allocate(capacity: EffectBlock.frameCount))
        sampleRate = configuration.sampleRate
        self.tap = tap
        self.retired = retired
    }

    deinit {
        strips.deallocate()
        sends.deallocate()
        buses.deallocate()
        limiters.deinitialize(count: limiterCount)
        limiters.deallocate()
        sums.deallocate()
        taps.deallocate()
        chains.deallocate()
        effectPlaces.deallocate()
        dry.left.deallocate()
        dry.right.deallocate()
    }

    /// The sum of a bus.
    @_noLocks func sum(ofBus bus: Int) -> StereoBuffer {
        let left = sums + 2 * bus * BlockSlice.largestCount
        return StereoBuffer(left: left, right: left + BlockSlice.largestCount)
    }

    /// The output of a track over the current slice, after its effects and its fader, if an input records it.
    @_noLocks func tap(ofTrack track: Int) -> StereoBuffer {
        let left = taps + 2 * track * BlockSlice.largestCount
        return StereoBuffer(left: left, right: left + BlockSlice.largestCount)
    }

    /// Counts an input that begins (1) or ceases (-1) to record a source.
    @_noLocks func count(_ change: Int, of source: InputSource) {
        if case .track(let track) = source { strips[track.rawValue].taps += change }
    }

    /// Brings the channels of the first `count` stems into use. They were silent so far: if other channels are soloed,
    /// they are muted from their first frame on, without a ramp.
    @_noLocks mutating func use(stems count: Int, at now: FrameTime) {
        let needed = layout.firstStem + count
        assert(needed <= layout.count, "no more stems than the engine was made for")
        if needed <= channelCount { return }
        updateStaleLevels(at: now)
        for channel in channelCount..<needed where strips[channel].hasSends {
            if advanceSends(of: channel, at: now) { isMoving = true }
        }
        channelCount = needed
        updateLevels(at: now, fadeFrames: 0)
    }

    /// Continues at another sample rate.
    @_noLocks mutating func changeSampleRate(to rate: SampleRate, at now: FrameTime) {
        let ratio = rate.hertz / sampleRate.hertz
        for channel in 0..<channelCount {
            strips[channel].stretch(at: now, by: ratio)
            stretchSends(of: channel, at: now, by: ratio)
        }
        for bus in 0..<busCount { buses[bus].fader.stretch(at: now, by: ratio) }
        sampleRate = rate
        for chain in 0..<layout.count + busCount { chains[chain].changeSampleRate(to: rate, at: now, by: ratio) }
        for bus in 0..<limiterCount { limiters[bus].prepare(sampleRate: rate) }
    }

    /// Fades the outputs in from `frame` on, after a device was lost.
    @_noLocks mutating func rejoin(at frame: FrameTime, fadeFrames: Int64) {
        presence = Ramp(from: 0, to: 1, start: frame, frames: fadeFrames)
        // Sound that the former device did not output would be cut off by the fade.
        for bus in 0..<limiterCount { limiters[bus].reset() }
    }

    /// Whether the invariants hold: derived state matches what it is derived from.
    @_noLocks func checkInvariants() -> Bool {
        var waiting = false
        for channel in 0..<channelCount {
            let strip = strips[channel]
            if strip.bus < 0 || strip.bus >= busCount || strip.previousBus < 0 || strip.previousBus >= busCount {
                return false
            }
            if strip.nextBus >= busCount || strip.isMoving && !isMoving { return false }
            if !strip.checkInvariants() || !checkSendInvariants(of: channel) { return false }
            waiting = waiting || strip.nextBus >= 0
        }
        // Stems that are not loaded yet may be soloed.
        var soloed = 0
        for channel in 0..<layout.count where strips[channel].isSoloed { soloed += 1 }
        if soloed != soloCount || areLevelsStale { return false }
        for bus in 0..<busCount {
            if !buses[bus].checkInvariants() || buses[bus].fader.isMoving && !isMoving { return false }
        }
        if hasEffects {
            for chain in 0..<layout.count + busCount where !chains[chain].checkInvariants() { return false }
        }
        return isMoveWaiting || !waiting
    }
}
