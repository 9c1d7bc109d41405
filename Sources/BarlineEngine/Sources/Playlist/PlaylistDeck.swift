import BarlineDSP

/// A stretch of a playlist's stream at the engine's sample rate, with marks for the items that begin and end in it:
/// written ahead by a feeder, read by the audio thread, each through its own ends.
///
/// Frames are addressed by their number in the playlist's stream, which continues from deck to deck. An edit of the
/// prefetched part fills another deck from the first frame that differs, and the audio thread switches decks there.
enum PlaylistDeck {
    /// The number of frames kept after they were played, for fades.
    static var keptFrames: Int64 { @_noLocks get { 16_384 } }

    /// The number of marks that fit: more than there are items in a block, however short.
    static let markCapacity = 4_096

    /// The control side's ends of a deck.
    struct Writer: BitwiseCopyable, Sendable {
        /// The ownership of the deck.
        let owner: StreamDeck.Writer
        /// The audio.
        let sound: StreamRing.Writer
        /// The ring of marks; each is pushed before its frame is written.
        let marks: SPSCRing<PlaylistMark>.Producer
        fileprivate let unread: SPSCRing<PlaylistMark>.Consumer

        /// Restarts at `position`. Only for the owner of the deck, while the audio thread does not read it.
        func restart(at position: Int64) {
            while unread.pop() != nil {}
            sound.restart(at: position)
        }
    }
}

/// The decks of an engine's playlist, with separate ends for each side.
struct PlaylistDecks: BitwiseCopyable, @unchecked Sendable {
    /// One plays, one is next, one is being filled, and others fade out.
    static let count = 5
    /// The least length of a deck in frames, and the length beyond the prefetched audio: played frames stay there for
    /// fades.
    static let leastFrames = 65_536

    private let owners = StreamDecks(count: PlaylistDecks.count)
    private let sounds: UnsafeMutablePointer<StreamRing>
    private let marks: UnsafeMutablePointer<SPSCRing<PlaylistMark>>

    init(minimumFrames: Int) {
        var capacity = PlaylistDecks.leastFrames
        while capacity < minimumFrames { capacity *= 2 }
        sounds = .allocate(capacity: PlaylistDecks.count)
        marks = .allocate(capacity: PlaylistDecks.count)
        for index in 0..<PlaylistDecks.count {
            (sounds + index).initialize(to: StreamRing(capacity: capacity))
            (marks + index).initialize(to: SPSCRing(minimumCapacity: PlaylistDeck.markCapacity))
        }
    }

    func deallocate() {
        owners.deallocate()
        for index in 0..<PlaylistDecks.count {
            sounds[index].deallocate()
            marks[index].deallocate()
        }
        sounds.deallocate()
        marks.deallocate()
    }

    var writers: Writers { Writers(owners: owners.writers, sounds: sounds, marks: marks) }
    var readers: Readers { Readers(owners: owners.readers, sounds: sounds, marks: marks) }

    /// The control side's ends.
    struct Writers: BitwiseCopyable, @unchecked Sendable {
        /// The ownership of the decks.
        let owners: StreamDecks.Writers
        fileprivate let sounds: UnsafePointer<StreamRing>
        fileprivate let marks: UnsafePointer<SPSCRing<PlaylistMark>>

        fileprivate init(
            owners: StreamDecks.Writers, sounds: UnsafePointer<StreamRing>,
            marks: UnsafePointer<SPSCRing<PlaylistMark>>
        ) {
            self.owners = owners
            self.sounds = sounds
            self.marks = marks
        }

        subscript(index: Int) -> PlaylistDeck.Writer {
            PlaylistDeck.Writer(
                owner: owners[index], sound: sounds[index].writer, marks: marks[index].producer,
                unread: marks[index].consumer)
        }
    }

    /// The audio thread's ends.
    struct Readers: BitwiseCopyable, @unchecked Sendable {
        /// The ownership of the decks.
        let owners: StreamDecks.Readers
        private let sounds: UnsafePointer<StreamRing>
        private let marks: UnsafePointer<SPSCRing<PlaylistMark>>

        fileprivate init(
            owners: StreamDecks.Readers, sounds: UnsafePointer<StreamRing>,
            marks: UnsafePointer<SPSCRing<PlaylistMark>>
        ) {
            self.owners = owners
            self.sounds = sounds
            self.marks = marks
        }

        /// The audio of a deck.
        @_noLocks func sound(_ deck: Int) -> StreamRing.Reader { sounds[deck].reader }

        /// Takes the next mark of a deck.
        @_noLocks func popMark(_ deck: Int) -> PlaylistMark? { marks[deck].consumer.pop() }
    }
}
