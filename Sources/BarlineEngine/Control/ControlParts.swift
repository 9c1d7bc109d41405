/// What the handle of a part keeps on the control side.
protocol ControlPart {
    /// What it keeps before anything was asked for.
    init()
}

/// What handles keep, each a value of a type of its own, which the engine need not know.
struct ControlParts {
    private var parts: [ObjectIdentifier: any ControlPart] = [:]

    /// What the handle of this type keeps.
    subscript<Part: ControlPart>(_ part: Part.Type) -> Part {
        get { parts[ObjectIdentifier(part)] as? Part ?? Part() }
        set { parts[ObjectIdentifier(part)] = newValue }
    }
}
