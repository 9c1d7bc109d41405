import Synchronization

@testable import BarlineOutputs

/// What a supervisor is given when it asks for another device: one after the other, then none.
final class DeviceQueue: Sendable {
    private let devices: Mutex<[FakeDevice]>
    private let asked = Mutex(0)

    init(_ devices: [FakeDevice] = []) { self.devices = Mutex(devices) }

    /// How often a device was asked for.
    var attempts: Int { asked.withLock { $0 } }

    /// Plugs a device in.
    func add(_ device: FakeDevice) { devices.withLock { $0.append(device) } }

    /// The next device.
    func open() throws(OutputError) -> any OutputDevice {
        asked.withLock { $0 += 1 }
        guard let device = devices.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw .noServer(backend: "fake", reason: "nothing is plugged in")
        }
        return device
    }
}
