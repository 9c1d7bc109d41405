/// Folds up to eight channels into two, by ITU-R BS.775: centre and surrounds are added at −3 dB, the low-frequency
/// channel is left out.
struct ChannelFold {
    /// What each channel adds to the left.
    let left: [Float]
    /// What each channel adds to the right.
    let right: [Float]

    /// The fold for files with `channelCount` channels, 2 … 8, in the order that WAV and FLAC prescribe.
    init(channelCount: Int) {
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
}
