/// A kind of source, for the control side.
struct SourceKind {
    /// Its channel of the mixer; `nil` if it has none of its own.
    let strip: Channel?
    /// Its state for displays.
    let shown: (any PartState.Type)?
    /// Creates a source, in its own memory.
    let make: (inout SourceMaker) -> AnySource

    /// The kind of source that is `erased` as a case of the list.
    init<Kind: Source & ~Copyable>(_ erased: @escaping (UnsafeMutablePointer<Kind>) -> AnySource) {
        strip = Kind.strip
        shown = Kind.shown
        make = { maker in erased(maker.make(Kind.self)) }
    }
}

/// Creates sources, each in its own memory, and records how to free them.
struct SourceMaker {
    var setup: SourceSetup
    private(set) var releases: [() -> Void] = []

    init(_ setup: SourceSetup) { self.setup = setup }

    /// Creates all sources, in the order in which they run.
    mutating func makeAll() -> [AnySource] { AnySource.kinds.map { $0.make(&self) } }

    fileprivate mutating func make<Kind: Source & ~Copyable>(_ kind: Kind.Type) -> UnsafeMutablePointer<Kind> {
        setup.channel = Kind.strip.map { setup.configuration.index(of: $0) } ?? -1
        let source = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
        source.initialize(to: Kind(&setup))
        releases.append {
            source.deinitialize(count: 1)
            source.deallocate()
        }
        return source
    }
}
