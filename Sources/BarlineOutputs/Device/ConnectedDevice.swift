/// A device that a port is connected to.
struct ConnectedDevice: Hashable {
    /// Its name.
    var name: String
    /// Whether it is one that sound leaves or enters the machine by, and not another program.
    var isPhysical: Bool
    /// Its reported latency from that port on, in frames.
    var latency: Int
}

extension [ConnectedDevice] {
    /// The device that is heard or recorded from: the only one; where there are several, the only one that is no
    /// program; where there are several of these, the only one that was measured. `nil` if that tells none from the
    /// others.
    func sole(where isMeasured: (String) -> Bool) -> ConnectedDevice? {
        let devices = contains(where: \.isPhysical) ? filter(\.isPhysical) : self
        return devices.ofOneName ?? devices.filter { isMeasured($0.name) }.ofOneName
    }

    /// The device, with the latency of its latest port, if it is the same for all ports.
    private var ofOneName: ConnectedDevice? {
        guard let first, allSatisfy({ $0.name == first.name }) else { return nil }
        return self.max { $0.latency < $1.latency }
    }
}
