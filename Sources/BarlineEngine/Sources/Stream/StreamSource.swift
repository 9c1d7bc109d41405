import BarlineTime

/// A source of streamed audio. It is read by feeder threads, never by the audio thread.
///
/// Several threads may use a source at once. A reader belongs to its opener: it is used by one thread at a time, and
/// needs no lock.
public protocol StreamSource: Sendable {
    /// The sample rate of the source.
    var sampleRate: SampleRate { get }
    /// The expected number of frames, for a display. The end is where reading ends.
    var frameCount: Int64 { get }
    /// Opens another reader. Several readers of one source are in use at a time.
    func open() throws -> sending any StreamReader
    /// Opens another reader, for as long as `isWanted` returns `true`: after that, waits for a disk or a network, in
    /// opening and in reading, should end early, with an error. The default calls ``open()``.
    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StreamReader
}

extension StreamSource {
    /// Opens another reader; waits in it are not cut short.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StreamReader { try open() }
}

/// A reader of a source, used by one thread at a time; its class need not be `Sendable`.
public protocol StreamReader: AnyObject {
    /// Continues at `frame`, 0 or more.
    func seek(to frame: Int64) throws
    /// Reads the next frames, up to `count`. May wait for them.
    ///
    /// - Returns: how many were read; 0 only at the end.
    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int
}
