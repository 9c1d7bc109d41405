import BarlineEngine

/// An input of the engine that a device is to give.
public struct DeviceInput: Hashable, Sendable {
    /// Its name, which its ports have.
    public var name: String
    /// The engine's input.
    public var index: InputIndex
    /// The device's channels that it is connected to, counted from 1: one, or a left and a right one.
    public var channels: [Int]
    /// How many frames later than the device says what it gives comes, where ``corrections`` have nothing of its devices.
    public var correction = 0
    /// What was measured, of any devices.
    public var corrections: [LatencyCorrection] = []
    /// What it is in time with.
    public var alignment = InputAlignment.heard

    /// An input whose latency is what the device says.
    public init(name: String, index: InputIndex, channels: [Int]) {
        self.name = name
        self.index = index
        self.channels = channels
    }
}
