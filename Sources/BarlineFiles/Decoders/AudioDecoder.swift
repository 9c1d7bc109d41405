/// A decoder of one kind of file, from front to back and from anywhere.
protocol AudioDecoder: AnyObject {
    /// Frames a second.
    var hertz: Int { get }
    /// Channels of a frame.
    var channelCount: Int { get }
    /// The length that the file seems to have, in frames.
    var frameCount: Int64 { get }
    /// Whether the length is known, not estimated.
    var isLengthKnown: Bool { get }
    /// Frames that the file says it has, and that are not there.
    var missingFrames: Int64 { get }
    /// What the file says of its tempo and loop.
    var metadata: AudioMetadata { get }
    /// Reads up to `frames` interleaved frames, their channels in the order of WAV, and returns how many; 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int
    /// Whether samples have 16 bits and can be read as such.
    var hasShorts: Bool { get }
    /// Reads up to `frames` interleaved frames of 16 bits and returns how many; 0 at the end. Only where ``hasShorts``
    /// is true.
    func readShorts(into samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int
    /// Continues at `frame`, exactly; whether that could be done.
    func seek(to frame: Int64) -> Bool
    /// Whether what follows a seek is the same to the bit as when the file is read from its beginning.
    var seeksExactly: Bool { get }
    /// Whether samples are in the file as they are, so that reading them again costs little.
    var isUncompressed: Bool { get }
    /// Whether samples are in the file as integers: no bits of it are a sample beyond 1, or one that is no number.
    var hasIntegers: Bool { get }
    /// Why the last read gave nothing, where that was not the end.
    var failure: AudioFileError? { get }
}

extension AudioDecoder {
    /// Files on disk end where they end.
    var failure: AudioFileError? { nil }
    /// What a decoder does not know is looked for in the file (``ContainerLength``).
    var missingFrames: Int64 { 0 }
    /// Decoders that converge are not the same at first.
    var seeksExactly: Bool { false }
    /// Most are there to take less room.
    var isUncompressed: Bool { false }
    /// Decoders may give anything.
    var hasIntegers: Bool { false }
    /// Most are decoded to other numbers.
    var hasShorts: Bool { false }
    /// There are none.
    func readShorts(into samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int { 0 }
}
