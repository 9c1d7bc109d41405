import BarlineDSP

/// A snapshot of a channel, for displays.
struct ChannelSnapshot: BitwiseCopyable {
    let isMuted: Bool
    let isSoloed: Bool
    let meter: MeterReading
}

/// A snapshot of a bus, for displays.
struct BusSnapshot: BitwiseCopyable {
    let meter: MeterReading
    let limiter: LimiterReading
}

/// Publishing the mixer for displays.
extension Mixer {
    /// The mixer at the end of a block, except channels and buses.
    struct Snapshot: BitwiseCopyable {
        let areEffectsActive: Bool
    }

    /// The places of its snapshots on the board.
    struct Places: BitwiseCopyable {
        let mixer: BoardPlace<Snapshot>
        let channels: BoardPlace<ChannelSnapshot>
        let buses: BoardPlace<BusSnapshot>

        init(busCount: Int, channelCount: Int, in places: inout BoardPlaces) {
            mixer = places.claim(Snapshot.self)
            channels = places.claim(ChannelSnapshot.self, count: channelCount)
            buses = places.claim(BusSnapshot.self, count: busCount)
        }
    }

    /// Publishes the strips of the channels in use, the buses and their limiters.
    @_noLocks func publish(to board: Board.Writer, at places: Places) {
        board.put(Snapshot(areEffectsActive: areEffectsActive), at: places.mixer)
        for channel in 0..<channelCount {
            let strip = strips[channel]
            let snapshot = ChannelSnapshot(
                isMuted: strip.isMuted, isSoloed: strip.isSoloed, meter: strip.meter.reading)
            board.put(snapshot, at: places.channels, channel)
        }
        for bus in 0..<busCount {
            let reading = buses[bus].meter.reading
            let limiter =
                limiterCount > 0
                ? limiters[bus].takeReading() : LimiterReading(overCount: 0, peak: 0, gain: 1, lowestGain: 1)
            board.put(BusSnapshot(meter: reading, limiter: limiter), at: places.buses, bus)
        }
    }
}

extension EngineState.Strip {
    init(_ channel: ChannelSnapshot) {
        isMuted = channel.isMuted
        isSoloed = channel.isSoloed
        meter = channel.meter
    }
}
