/// An event of the metronome.
public enum MetronomeEvent: Hashable, Sendable, BitwiseCopyable {
    /// A pulse of the metre; bars and pulses are counted from 1, bars 0 and below are a count-in.
    case pulse(bar: Int64, pulse: Int, isAccented: Bool)
}
