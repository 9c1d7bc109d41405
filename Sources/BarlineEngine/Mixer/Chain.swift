import BarlineDSP
import BarlineTime

/// The insert effects of one strip or bus, in series. For the audio thread.
///
/// An effect that is inserted, removed, moved or bypassed crossfades between the sound before and after it; faded out,
/// it leaves the sound unchanged, bit for bit. The chain runs in blocks of ``EffectBlock/frameCount`` that are fixed on
/// the timeline, so that the output does not depend on the device's blocks. Every operation is at most
/// O(``placeCount``²) per block or command.
struct Chain: BitwiseCopyable, @unchecked Sendable {
    /// The maximum number of effects in a chain.
    static var capacity: Int { @_noLocks get { 8 } }
    /// As many again may still be fading out.
    static var placeCount: Int { @_noLocks get { 16 } }

    private let places: UnsafeMutablePointer<EffectPlace>
    private(set) var count = 0
    /// Whether silence would come out as silence, and no fade or ramp is in progress.
    private(set) var isIdle = true
    private var moveCount = 0

    @_noLocks init(places: UnsafeMutablePointer<EffectPlace>) { self.places = places }

    // MARK: Commands

    /// Inserts an effect before the one at `index` of those that stay.
    @_noLocks mutating func insert(
        _ effect: AnyEffect, _ identity: EffectIdentity, at index: Int, isBypassed: Bool, now: FrameTime,
        fadeFrames: Int64, retired: SPSCRing<UInt>.Producer
    ) {
        insert(
            EffectPlace(effect, identity, isBypassed: isBypassed, at: now, fadeFrames: fadeFrames),
            at: place(ofStaying: index), retired)
    }

    /// Replaces an effect, which fades out.
    @_noLocks mutating func replace(
        _ old: Int, with effect: AnyEffect, _ identity: EffectIdentity, isBypassed: Bool, now: FrameTime,
        fadeFrames: Int64, retired: SPSCRing<UInt>.Producer
    ) {
        let index = self.index(of: old)
        let place = EffectPlace(effect, identity, isBypassed: isBypassed, at: now, fadeFrames: fadeFrames)
        insert(place, at: index < 0 ? count : index, retired)
        remove(old, now: now, fadeFrames: fadeFrames)
    }

    /// Fades an effect out, and then retires it.
    @_noLocks mutating func remove(_ number: Int, now: FrameTime, fadeFrames: Int64) {
        let index = self.index(of: number)
        if index < 0 { return }
        places[index].isLeaving = true
        places[index].destination = -1
        places[index].advanceRamps(at: now, fadeFrames: fadeFrames)
        isIdle = false
    }

    /// Fades an effect out, and in again before the one that is then at `index` of the others that stay.
    @_noLocks mutating func move(_ number: Int, to target: Int, now: FrameTime, fadeFrames: Int64) {
        let index = self.index(of: number)
        if index < 0 || places[index].isLeaving { return }
        places[index].destination = target
        places[index].moveOrder = moveCount
        moveCount += 1
        places[index].advanceRamps(at: now, fadeFrames: fadeFrames)
        isIdle = false
    }

    /// Bypasses an effect, or ends the bypass.
    @_noLocks mutating func bypass(_ number: Int, _ isBypassed: Bool, now: FrameTime, fadeFrames: Int64) {
        let index = self.index(of: number)
        if index < 0 { return }
        places[index].isBypassed = isBypassed
        places[index].advanceRamps(at: now, fadeFrames: fadeFrames)
        isIdle = false
    }

    /// Ramps a parameter of an effect to a target.
    @_noLocks mutating func set(
        _ number: Int, parameter: Int, to target: Double, now: FrameTime, frames: Int64, _ curve: Curve
    ) {
        let index = self.index(of: number)
        if index < 0 { return }
        _ = places[index].effect.run(.set(parameter: parameter, target: target, at: now, frames: frames, curve))
        isIdle = false
    }

    /// Continues from `frame` at another sample rate, `ratio` times the former one.
    @_noLocks func changeSampleRate(to rate: SampleRate, at frame: FrameTime, by ratio: Double) {
        for index in 0..<count {
            places[index].stretch(at: frame, by: ratio)
            _ = places[index].effect.run(.prepare(rate, at: frame))
        }
    }

    // MARK: Sound

    /// Processes `frames` frames through the effects. `dry` has room for a block.
    @_noLocks mutating func process(
        _ signal: StereoBuffer, from start: FrameTime, frames: Int, dry: StereoBuffer, retired: SPSCRing<UInt>.Producer
    ) {
        var done = 0
        while done < frames {
            let frame = start + Int64(done)
            if EffectBlock.start(of: frame) == frame { updatePlaces(at: frame, retired) }
            var piece = Int(EffectBlock.start(of: frame) + Int64(EffectBlock.frameCount) - frame)
            if piece > frames - done { piece = frames - done }
            for index in 0..<count {
                let left = places[index].share.start + places[index].share.frames - frame
                if left > 0, left < Int64(piece) { piece = Int(left) }
            }
            let part = StereoBuffer(left: signal.left + done, right: signal.right + done)
            for index in 0..<count { places[index].process(part, from: frame, count: piece, dry: dry) }
            done += piece
        }
        let end = start + Int64(frames)
        var idle = true
        for index in 0..<count where !places[index].isIdle(at: end) { idle = false }
        isIdle = idle
    }

    /// Retires effects that have faded out, and moves effects to their new places, in the order in which the moves were
    /// requested.
    @_noLocks private mutating func updatePlaces(at frame: FrameTime, _ retired: SPSCRing<UInt>.Producer) {
        var index = 0
        while index < count {
            if places[index].isLeaving, places[index].share.isSettled(at: frame),
                retired.push(places[index].identity.address)
            {
                take(at: index)
            } else {
                index += 1
            }
        }
        for _ in 0..<count {
            var first = -1
            for index in 0..<count where places[index].destination >= 0 {
                if first < 0 || places[index].moveOrder < places[first].moveOrder { first = index }
            }
            if first < 0 || !places[first].share.isSettled(at: frame) { return }
            let place = places[first]
            take(at: first)
            insert(place.arrived(at: frame), at: self.place(ofStaying: place.destination))
        }
    }

    // MARK: Places

    /// Whether the invariants hold: those of its places do, an effect has one place, and nothing is in progress in an
    /// idle chain. O(``placeCount``²).
    @_noLocks func checkInvariants() -> Bool {
        if count < 0 || count > Chain.placeCount { return false }
        for index in 0..<count {
            let place = places[index]
            if !place.checkInvariants() { return false }
            if isIdle, place.isLeaving || place.destination >= 0 { return false }
            for other in 0..<index where places[other].identity.address == place.identity.address { return false }
        }
        return true
    }

    @_noLocks private func index(of number: Int) -> Int {
        for index in 0..<count where places[index].identity.number == number { return index }
        return -1
    }

    /// The place of the effect at `index` of those that stay; after all if there are fewer.
    @_noLocks private func place(ofStaying index: Int) -> Int {
        var staying = 0
        for place in 0..<count where !places[place].isLeaving {
            if staying == index { return place }
            staying += 1
        }
        return count
    }

    /// Inserts a new effect, for which one that is fading out may have to be cut off. If all stay, it is retired
    /// instead.
    @_noLocks private mutating func insert(_ place: EffectPlace, at index: Int, _ retired: SPSCRing<UInt>.Producer) {
        isIdle = false
        var target = index
        if count == Chain.placeCount {
            var leaving = 0
            while leaving < count, !places[leaving].isLeaving { leaving += 1 }
            _ = retired.push(leaving == count ? place.identity.address : places[leaving].identity.address)
            if leaving == count { return }
            take(at: leaving)
            if leaving < target { target -= 1 }
        }
        insert(place, at: target)
    }

    @_noLocks private mutating func insert(_ place: EffectPlace, at index: Int) {
        assert(count < Chain.placeCount && index <= count, "the chain has a place for it")
        var last = count
        while last > index {
            places[last] = places[last - 1]
            last -= 1
        }
        places[index] = place
        count += 1
    }

    @_noLocks private mutating func take(at index: Int) {
        count -= 1
        for place in index..<count { places[place] = places[place + 1] }
    }
}
