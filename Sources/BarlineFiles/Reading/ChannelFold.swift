import CKernels

/// Folds up to eight channels into two, by ITU-R BS.775: centre and surrounds are added at −3 dB, the low-frequency
/// channel is left out.
struct ChannelFold {
    private let channelCount: Int
    /// What each channel adds to the left.
    let left: [Float]
    /// What each channel adds to the right.
    let right: [Float]

    /// The fold for files with `channelCount` channels, 2 … 8, in the order that WAV and FLAC prescribe.
    init(channelCount: Int) {
        self.channelCount = channelCount
        let half: Float = 0.70710678
        switch channelCount {
        case 3:
            left = [1, 0, half]
            right = [0, 1, half]
        case 4:
            left = [1, 0, half, 0]
            right = [0, 1, 0, half]
        case 5:
            left = [1, 0, half, half, 0]
            right = [0, 1, half, 0, half]
        case 6:
            left = [1, 0, half, 0, half, 0]
            right = [0, 1, half, 0, 0, half]
        case 7:
            left = [1, 0, half, 0, half, half, 0]
            right = [0, 1, half, 0, half, 0, half]
        case 8:
            left = [1, 0, half, 0, half, 0, half, 0]
            right = [0, 1, half, 0, 0, half, 0, half]
        default:
            left = [1, 0]
            right = [0, 1]
        }
    }

    /// Parts interleaved frames of as many channels as the fold is for, and folds them; one channel goes to both sides.
    ///
    /// - Returns: the first frame that has a sample which is no finite number; `frames` where there is none.
    func part(
        _ interleaved: UnsafePointer<Float>, _ toLeft: UnsafeMutablePointer<Float>,
        _ toRight: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        switch channelCount {
        case 1:
            dsp_copy(interleaved, toLeft, frames)
            if toRight != toLeft { dsp_copy(interleaved, toRight, frames) }
            return dsp_find_not_finite(interleaved, frames)
        case 2: return dsp_split(interleaved, toLeft, toRight, frames)
        default:
            for frame in 0..<frames {
                var (sumLeft, sumRight): (Float, Float) = (0, 0)
                for channel in 0..<channelCount {
                    let sample = interleaved[frame * channelCount + channel]
                    sumLeft += sample * left[channel]
                    sumRight += sample * right[channel]
                }
                toLeft[frame] = sumLeft
                toRight[frame] = sumRight
            }
            return dsp_find_not_finite(interleaved, frames * channelCount) / channelCount
        }
    }
}
