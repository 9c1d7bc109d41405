import BarlineEngine
import BarlineTime

/// The source in the place of a stem that can't be played.
struct MissingStem: StemSource {
    var sampleRate: SampleRate { .standard }
    var frameCount: Int64 { 0 }

    func open() throws -> sending any StemReader { Reader() }

    private final class Reader: StemReader {
        func seek(to frame: Int64) throws {}

        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int { 0 }
    }
}
