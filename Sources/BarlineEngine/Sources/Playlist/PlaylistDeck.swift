import BarlineDSP

/// A stretch of a playlist's sound at the engine's rate, and the marks of what begins and ends in it: written ahead by a
/// feeder, read by the audio thread, each through ends of its own.
///
/// Frames are addressed by their number in the playlist's sound, which goes on from deck to deck. An edit that changes
/// what was written ahead fills another deck from the first frame that differs, and the audio thread changes over there.
enum PlaylistDeck {
    /// Frames that stay there after they were played, for fades.
    static var keptFrames: Int64 { @_noLocks get { 16_384 } }

    /// Marks that fit: more than there are items in a block, however short.
    static let markCapacity = 4_096

    /// The control side's ends of a deck.
    struct Writer: BitwiseCopyable, Sendable {
        /// Who has the deck.
        let owner: StreamDeck.Writer
        /// The sound.
        let sound: StreamRing.Writer
        /// Where a mark is put in, before the frame that it is for.
        let marks: SPSCRing<PlaylistMark>.Producer
        fileprivate let unread: SPSCRing<PlaylistMark>.Consumer

        /// Begins anew at `position`. Only for who has taken the deck: the audio thread does not read it.
        func restart(at position: Int64) {
            while unread.pop() != nil {}
            sound.restart(at: position)
        }
    }
}

/// The decks of an engine's playlist, of which each side has its ends.
struct PlaylistDecks: BitwiseCopyable, @unchecked Sendable {
    /// One plays, one is waited for, one is filled, and others fade out.
    static let count = 5
    /// The frames that a deck has at least, and beyond what is written ahead: what is played stays there for fades.
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
        /// Who has the decks.
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
        /// Who has the decks.
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

        /// The sound of a deck.
        @_noLocks func sound(_ deck: Int) -> StreamRing.Reader { sounds[deck].reader }

        /// Takes the next mark of a deck.
        @_noLocks func popMark(_ deck: Int) -> PlaylistMark? { marks[deck].consumer.pop() }
    }
}
