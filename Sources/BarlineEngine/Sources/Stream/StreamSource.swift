import BarlineTime

/// A source of streamed audio. It is read by feeder threads, never by the audio thread.
///
/// Several threads may ask a source at once. A reader is handed over when it is opened: it is used by one thread at a time,
/// and needs no lock.
public protocol StreamSource: Sendable {
    /// The rate of the source's frames.
    var sampleRate: SampleRate { get }
    /// How many frames it seems to have, for a display. The end is where reading ends.
    var frameCount: Int64 { get }
    /// Opens the source once more. Several readers of one source are in use at a time.
    func open() throws -> sending any StreamReader
    /// Opens the source once more, for as long as `isWanted` says so: then waits for a disk or a network, in opening and in
    /// reading, are to end early, with an error. Without it there is ``open()``.
    func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StreamReader
}

extension StreamSource {
    /// Opens the source once more; what it waits for is waited for to the end.
    public func open(while isWanted: @escaping @Sendable () -> Bool) throws -> sending any StreamReader { try open() }
}

/// One reading of a source, used by one thread at a time; its class need not be `Sendable`.
public protocol StreamReader: AnyObject {
    /// Continues at `frame`, 0 or more.
    func seek(to frame: Int64) throws
    /// Reads the next frames, up to `count`. May wait for them.
    ///
    /// - Returns: how many were read; 0 only at the end.
    func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int
}
