/// The order of channels in Vorbis and Opus (Vorbis I specification, 4.3.9; RFC 7845, 5.1.1.2), which is not that of WAV.
struct VorbisChannels {
    /// Where in WAV's order each channel belongs.
    private let places: [Int]

    /// The order of `count` channels; `nil` where it is the same as in WAV.
    init?(count: Int) {
        switch count {
        case 3: places = [0, 2, 1]
        case 5: places = [0, 2, 1, 3, 4]
        case 6: places = [0, 2, 1, 4, 5, 3]
        case 7: places = [0, 2, 1, 5, 6, 4, 3]
        case 8: places = [0, 2, 1, 6, 7, 4, 5, 3]
        default: return nil
        }
    }

    /// Puts the channels of interleaved frames into WAV's order.
    func arrange(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        var frame = [Float](repeating: 0, count: places.count)
        for first in stride(from: 0, to: frames * places.count, by: places.count) {
            for (channel, place) in places.enumerated() { frame[place] = samples[first + channel] }
            for place in places.indices { samples[first + place] = frame[place] }
        }
    }
}
