/// The arguments of a source's initialiser, on the control side.
struct SourceSetup {
    let configuration: EngineConfiguration
    /// The layout of the board: each source claims its places in it.
    var places = BoardPlaces()
    /// The index of its channel of the mixer, or −1 if it has none of its own.
    var channel = -1
    private let contents: [Any]

    /// A setup of sources some of which begin with `contents`, at most one of each type.
    init(_ configuration: EngineConfiguration, contents: [Any]) {
        self.configuration = configuration
        self.contents = contents
    }

    /// The content of this type with which a source begins.
    func content<Content>(_ type: Content.Type) -> Content {
        for case let content as Content in contents { return content }
        preconditionFailure("an engine is created with what its sources begin with")
    }
}
