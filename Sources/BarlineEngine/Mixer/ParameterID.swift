/// A parameter of the mixer: what it belongs to, and its number there.
struct ParameterID: BitwiseCopyable, Sendable {
    /// A place that has parameters.
    enum Place: BitwiseCopyable, Sendable {
        case channel(Int)
        case bus(Int)
        /// An effect, by its number in commands, in a chain.
        case effect(Int, chain: Int)
    }

    let place: Place
    let number: Int

    @_noLocks init(place: Place, number: Int) {
        self.place = place
        self.number = number
    }

    /// The number of the fader of a channel or a bus.
    static var gainNumber: Int { @_noLocks get { 0 } }
    /// The number of a channel's pan.
    static var panNumber: Int { @_noLocks get { 1 } }
    /// The number of a channel's send to the first bus; those to the others follow.
    static var firstSendNumber: Int { @_noLocks get { 2 } }

    /// The fader of a channel, an amplitude.
    @_noLocks static func gain(ofChannel channel: Int) -> ParameterID {
        ParameterID(place: .channel(channel), number: gainNumber)
    }

    /// The pan of a channel, −1 … 1.
    @_noLocks static func pan(ofChannel channel: Int) -> ParameterID {
        ParameterID(place: .channel(channel), number: panNumber)
    }

    /// The send of a channel to a bus, an amplitude.
    @_noLocks static func send(ofChannel channel: Int, toBus bus: Int) -> ParameterID {
        ParameterID(place: .channel(channel), number: firstSendNumber + bus)
    }

    /// The fader of a bus, an amplitude.
    @_noLocks static func gain(ofBus bus: Int) -> ParameterID { ParameterID(place: .bus(bus), number: gainNumber) }
}

/// The length and the curve of a parameter's ramp.
struct ParameterRamp: BitwiseCopyable, Sendable {
    let length: RampLength
    let curve: Curve

    init(_ length: RampLength = .shortest, _ curve: Curve = .natural) {
        self.length = length
        self.curve = curve
    }

    /// Whether a length was specified: it may be longer than a fade, and follows its curve.
    var hasLength: Bool {
        @_noLocks get {
            if case .shortest = length { return false }
            return true
        }
    }
}
