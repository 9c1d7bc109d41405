/// State that the handle of a part keeps on the control side.
protocol ControlPart {
    /// Creates the initial state.
    init()
}

/// Storage for the state of handles, one value per type; the engine need not know the types.
struct ControlParts {
    private var parts: [ObjectIdentifier: any ControlPart] = [:]

    /// The state of the given type.
    subscript<Part: ControlPart>(_ part: Part.Type) -> Part {
        get { parts[ObjectIdentifier(part)] as? Part ?? Part() }
        set { parts[ObjectIdentifier(part)] = newValue }
    }
}
