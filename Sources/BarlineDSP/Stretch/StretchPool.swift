import BarlineTime
import CKernels

/// The pool of time-stretching voices, which owns the memory of all of them.
package struct StretchPool: ~Copyable, @unchecked Sendable {
    // First, for ThreadSanitizer; see `Launcher`.
    package let voices: UnsafeMutablePointer<StretchVoice>
    package let voiceCount: Int
    let tables: StretchTables
    /// The tables of grains of half and of a quarter of that length.
    private let mediumTables: StretchTables
    private let shortTables: StretchTables
    /// The tables of the longest grains for sounds without attacks.
    private let tonalTables: StretchTables
    let work: StretchWork
    let reader = VarispeedReader()
    /// The voices' memory, of which the system allocates pages only when they are written to.
    private let memory: SampleStorage
    private let storage: UnsafeMutablePointer<Float>

    /// Allocates `voiceCount` voices, whose grains are about 85 ms long at `sampleRate`.
    package init(voiceCount: Int, sampleRate: SampleRate) {
        self.init(reserving: voiceCount, sampleRate: sampleRate)
        for voice in 0..<voiceCount { prepare(voice: voice) }
    }

    /// Reserves address space for `voiceCount` voices, which takes no memory until they are prepared: one that renders
    /// before ``prepare(voice:)`` may wait for the system to give it some.
    package init(reserving voiceCount: Int, sampleRate: SampleRate) {
        tables = StretchTables(sampleRate: sampleRate)
        mediumTables = StretchTables(size: tables.size / 2)
        shortTables = StretchTables(size: tables.size / 4)
        tonalTables = StretchTables(size: tables.size, isTonal: true)
        work = StretchWork(size: tables.size)
        self.voiceCount = voiceCount
        let count = StretchVoice.storageCount(tables)
        memory = SampleStorage(mapped: max(1, count * voiceCount), channels: 1)
        storage = memory.left
        voices = .allocate(capacity: voiceCount)
        for index in 0..<voiceCount {
            (voices + index).initialize(
                to: StretchVoice(storage: storage + index * count, slot: index, tables: tables))
        }
    }

    /// Populates the memory of a voice, so that it finds it when it renders. Not for the audio thread, which may be
    /// using the voice all the same.
    package borrowing func prepare(voice index: Int) {
        let count = StretchVoice.storageCount(tables)
        memory.populate(index * count..<(index + 1) * count)
    }

    deinit {
        voices.deallocate()
        work.deallocate()
        tonalTables.deallocate()
        shortTables.deallocate()
        mediumTables.deallocate()
        tables.deallocate()
    }

    /// The length of a grain, in frames.
    package var grainFrames: Int { @_noLocks get { tables.size } }

    /// Renders the next `count` frames of a voice, from `start` on, whose position is given by `course`. A voice that
    /// has not rendered the frame before `start` restarts there.
    ///
    /// O(`count`), plus at most six transforms for each grain, of which there is at most one per quarter of a hop.
    @_noLocks package borrowing func render(
        voice index: Int, of source: StretchSource, along course: StretchCourse, from start: Int64, count: Int,
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        switch source.style.grain {
        case .long:
            voices[index].render(
                source, course, start, count, left, right, tables: source.style.isTonal ? tonalTables : tables,
                work: work, reader: reader)
        case .medium:
            voices[index].render(
                source, course, start, count, left, right, tables: mediumTables, work: work, reader: reader)
        case .short:
            voices[index].render(
                source, course, start, count, left, right, tables: shortTables, work: work, reader: reader)
        }
        assert(checkInvariants(voice: index), "a voice works in its own memory, and comes out where it was asked to")
        assert(voices[index].time == start + Int64(count), "a voice puts out the frames that it was asked for")
    }

    /// Whether the invariants of a voice hold: it has the memory and the slot that it was created with, and its
    /// position is finite.
    @_noLocks package borrowing func checkInvariants(voice index: Int) -> Bool {
        let voice = voices[index]
        let own = storage + index * StretchVoice.storageCount(tables) + 2 * StretchVoice.spectrumCount(tables)
        return voice.sumLeft == own && voice.sumCount <= StretchVoice.sumCount(tables)
            && voice.slot >= 0 && voice.deviation < 1e15 && voice.deviation > -1e15 && voice.calmGrains >= 0
    }
}
