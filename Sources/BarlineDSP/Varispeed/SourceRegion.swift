import CKernels

/// The samples that a reader reads from, and how reads behave at the region's ends.
///
/// Frame 0 is the region's first frame. The samples themselves belong to the caller, who keeps them alive while the
/// region is in use.
public struct SourceRegion: BitwiseCopyable, @unchecked Sendable {
    /// The left channel, at the region's first frame.
    public let left: UnsafePointer<Float>
    /// The right channel, at the region's first frame; the same as ``left`` if the source is mono.
    public let right: UnsafePointer<Float>
    /// The region's length in frames, at least 1.
    public let length: Int
    /// Frames that may be read before the region.
    public let framesBefore: Int
    /// Frames that may be read after the region.
    public let framesAfter: Int
    /// Whether reads wrap around: frame `length` is frame 0 again.
    public let loops: Bool
    /// The samples that replace the last `seamLength` frames of a looping region whose ends don't match.
    public let seamLeft: UnsafePointer<Float>
    /// The right channel of the seam; the same as ``seamLeft`` if the source is mono.
    public let seamRight: UnsafePointer<Float>
    /// The seam's length in frames; 0 if there is none.
    public let seamLength: Int
    /// The midpoints between the frames, from the region's first frame to its last; without them reads at rates up to 1
    /// take longer.
    public var midpoints: Midpoints?
    /// The frames around the wrap of a looping region, contiguous, as ``LoopWrap`` prepares them; without them reads
    /// across the wrap are slower.
    @usableFromInline package var wrap: LoopWrap?
    /// The last frames without the seam, where the samples have it.
    @usableFromInline package var ownTail: OwnTail?

    /// The last `length` frames of a region as they are without a seam; the memory belongs to the caller.
    @usableFromInline package struct OwnTail: BitwiseCopyable, @unchecked Sendable {
        let left: UnsafePointer<Float>
        let right: UnsafePointer<Float>
        let length: Int

        /// All of `buffer`.
        package init(_ buffer: SampleBuffer) {
            left = buffer.left
            right = buffer.right
            length = buffer.frameCount
        }
    }

    /// Creates a region; see the properties for what the parameters mean.
    @_noLocks @inlinable public init(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, length: Int, framesBefore: Int, framesAfter: Int,
        loops: Bool, seamLeft: UnsafePointer<Float>, seamRight: UnsafePointer<Float>, seamLength: Int
    ) {
        precondition(length > 0 && framesBefore >= 0 && framesAfter >= 0, "a region has at least one frame")
        precondition(seamLength >= 0 && seamLength <= length, "a seam is part of its region")
        self.left = left
        self.right = right
        self.length = length
        self.framesBefore = framesBefore
        self.framesAfter = framesAfter
        self.loops = loops
        self.seamLeft = seamLeft
        self.seamRight = seamRight
        self.seamLength = seamLength
        midpoints = nil
        wrap = nil
        ownTail = nil
    }

    /// Creates a region that neither loops nor continues beyond its ends.
    @_noLocks @inlinable public init(left: UnsafePointer<Float>, right: UnsafePointer<Float>, length: Int) {
        self.left = left
        self.right = right
        self.length = length
        framesBefore = 0
        framesAfter = 0
        loops = false
        seamLeft = left
        seamRight = right
        seamLength = 0
        midpoints = nil
        wrap = nil
        ownTail = nil
    }

    /// The last frames that are not what it is a recording of, but lead up to its beginning, at most.
    var seamReach: Int { @_noLocks get { ownTail?.length ?? seamLength } }

    /// The same without the seam: the last frame is followed by the first, however far that is.
    package var bare: SourceRegion {
        @_noLocks get {
            SourceRegion(
                left: left, right: right, length: length, framesBefore: framesBefore, framesAfter: framesAfter,
                loops: loops, seamLeft: ownTail?.left ?? left, seamRight: ownTail?.right ?? right,
                seamLength: ownTail?.length ?? 0)
        }
    }

    /// The frame at `index`: wrapped around if the region loops, otherwise silent beyond what may be read.
    @_noLocks @inlinable public func frame(at index: Int) -> StereoFrame {
        var index = index
        if loops {
            if index < 0 || index >= length {
                index %= length
                if index < 0 { index += length }
            }
            let intoSeam = index - (length - seamLength)
            if intoSeam >= 0 { return StereoFrame(left: seamLeft[intoSeam], right: seamRight[intoSeam]) }
        } else if index < -framesBefore || index >= length + framesAfter {
            return StereoFrame(left: 0, right: 0)
        }
        return StereoFrame(left: left[index], right: right[index])
    }

    /// The region in the form the kernels take.
    @usableFromInline var piece: dsp_region {
        @_noLocks @inlinable get {
            dsp_region(
                left: left, right: right, length: length, frames_before: framesBefore, frames_after: framesAfter,
                loops: loops, seam_left: seamLeft, seam_right: seamRight, seam_length: seamLength,
                wrap_left: wrap?.left, wrap_right: wrap?.right, wrap_before: wrap?.framesBefore ?? 0,
                middle_left: midpoints?.left, middle_right: midpoints?.right,
                midpoints_before: midpoints?.framesBefore ?? 0, midpoints_after: midpoints?.framesAfter ?? 0,
                wrap_middle_left: wrap?.middleLeft, wrap_middle_right: wrap?.middleRight)
        }
    }
}
