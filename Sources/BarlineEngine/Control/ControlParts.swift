/// State that the handle of a part keeps on the control side.
protocol ControlPart {
    /// What it keeps before anything was asked for.
    init()
}

/// Storage for the state of handles, one value of each type; the engine need not know the types.
struct ControlParts {
    private var parts: [ObjectIdentifier: any ControlPart] = [:]

    /// What the handle of this type keeps.
    subscript<Part: ControlPart>(_ part: Part.Type) -> Part {
        get { parts[ObjectIdentifier(part)] as? Part ?? Part() }
        set { parts[ObjectIdentifier(part)] = newValue }
    }
}
