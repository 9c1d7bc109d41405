/// A sample format of files.
public enum SampleFormat: String, Sendable, CaseIterable {
    /// 32-bit floating point.
    case float32 = "f32"
    /// 24-bit integer, dithered.
    case integer24 = "s24"
    /// 16-bit integer, dithered.
    case integer16 = "s16"
}
