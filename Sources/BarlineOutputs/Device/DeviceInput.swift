import BarlineEngine

/// An engine input that a device should supply.
public struct DeviceInput: Hashable, Sendable {
    /// The input's name, also used for its ports.
    public var name: String
    /// The index of the engine's input.
    public var index: InputIndex
    /// The device's channels to connect, counted from 1: one, or a left and a right one.
    public var channels: [Int]
    /// The correction of the latency reported by the device, in frames, used if ``corrections`` have no entry for its
    /// devices.
    public var correction = 0
    /// Measured corrections, for any devices.
    public var corrections: [LatencyCorrection] = []
    /// The alignment of its recordings.
    public var alignment = InputAlignment.heard

    /// Creates an input whose latency is the one reported by the device.
    public init(name: String, index: InputIndex, channels: [Int]) {
        self.name = name
        self.index = index
        self.channels = channels
    }
}
