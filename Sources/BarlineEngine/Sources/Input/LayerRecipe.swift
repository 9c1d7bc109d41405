import BarlineDSP
import BarlineTime

/// The recipe of a layer: how it is made of the loop that it was recorded over, so that it can be made of audio that
/// was played at another latency, or over another loop.
package struct LayerRecipe: Hashable, Sendable {
    /// The way in which the layer is made of the loop.
    package enum Making: Hashable, Sendable {
        /// The first `recorded` frames of the pass are recorded over, the loop being mixed in at the level `feedback`,
        /// an amplitude.
        case overdub(feedback: Float, recorded: Int)
        /// The loop is changed as a whole.
        case change(LoopChange)
    }

    package let making: Making
    /// The position of the layer's first frame in the loop, in frames.
    package let position: Double
    /// The layer's length in frames.
    package let length: Int

    /// The layer of `length` frames that begins at `position` of the loop.
    package init(_ making: Making, position: Double, length: Int) {
        (self.making, self.position, self.length) = (making, position, length)
    }

    /// The frames before a layer's first one, and after the last one that is recorded over, that are mixed too.
    ///
    /// - Parameter rate: the layer's sample rate.
    /// - Returns: how many, 5 ms.
    package static func margin(at rate: SampleRate) -> Int { Int(SeamFade.longest * rate.hertz) }

    /// The frames of what was played that are needed, counted from the one that belongs to the layer's first one.
    ///
    /// - Parameter rate: the layer's sample rate.
    /// - Returns: the frames; empty for a change.
    package func needed(at rate: SampleRate) -> Range<Int> {
        guard case .overdub(_, let recorded) = making else { return 0..<0 }
        let margin = LayerRecipe.margin(at: rate)
        return -margin..<min(length, recorded + margin)
    }

    /// The frames before a layer's first one in its file.
    ///
    /// - Parameter rate: the layer's sample rate.
    /// - Returns: how many, half a second.
    package static func marginFrames(at rate: SampleRate) -> Int {
        Int(rate.frames(seconds: TakeMemory.marginSeconds))
    }
}
