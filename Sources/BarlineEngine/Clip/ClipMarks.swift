import BarlineDSP
import BarlineTime

/// The marks of a clip whose pitch is kept: its attacks, and the position from which its passes are counted.
struct ClipMarks: @unchecked Sendable {
    let marks: UnsafePointer<StretchMark>
    let count: Int
    /// The mark from which on every pass of a loop sounds alike; −1 if the loop is too short for that.
    let restartMark: Int
    /// The positions of attacks at which nothing is cut off.
    let weak: UnsafePointer<Int>
    let weakCount: Int

    /// Creates the marks of `region` for attacks at `onsets`, in frames of the region, and at `weak` for those at which
    /// nothing is cut off.
    ///
    /// A launch begins at `start`. An attack within 10 ms of it serves as its mark; without one, the sound around it is
    /// not cut, unless there is one within a grain before it. `scale` is the number of frames of the recording per frame,
    /// `heard` the number of frames in which one is heard at the clip's own tempo: what is near is what is heard so.
    init(
        _ onsets: [Double], weak weakOnsets: [Double] = [], of region: SourceRegion, start: Double, scale: Double,
        heard: Double, sampleRate: SampleRate
    ) {
        let grain = StretchTables.size(at: sampleRate)
        var list: [StretchMark] = []
        if !region.loops || max(1, heard) * Double(region.length) >= Double(2 * grain) {
            let exact = onsets.filter { (0..<region.length).contains(Int($0.rounded())) }.sorted()
            let attacks = Dictionary(exact.map { (Int($0.rounded()), $0) }, uniquingKeysWith: { first, _ in first })
            list = ClipMarks.marks(
                exact.map { Int($0.rounded()) }, start: min(region.length - 1, Int(start.rounded())),
                length: region.length, loops: region.loops, grain: Double(grain) / heard
            ).map { ClipMarks.refined($0, attacks, scale: scale) }
        }
        let storage = UnsafeMutablePointer<StretchMark>.allocate(capacity: max(1, list.count))
        storage.initialize(from: list, count: list.count)
        marks = UnsafePointer(storage)
        count = list.count
        restartMark = list.firstIndex { $0.isRestart } ?? -1
        let others = weakOnsets.map { Int($0.rounded()) }.filter { (0..<region.length).contains($0) }.sorted()
        let weakStorage = UnsafeMutablePointer<Int>.allocate(capacity: max(1, others.count))
        weakStorage.initialize(from: others, count: others.count)
        weak = UnsafePointer(weakStorage)
        weakCount = others.count
    }

    func deallocate() {
        marks.deallocate()
        weak.deallocate()
    }

    /// A mark with its attack's exact place, if it is one; `attacks` are those places by their nearest frames.
    private static func refined(_ mark: StretchMark, _ attacks: [Int: Double], scale: Double) -> StretchMark {
        guard mark.isCut else { return mark }
        let attack = attacks[mark.position]
        return StretchMark(
            position: mark.position, isCut: true, isRestart: mark.isRestart,
            fraction: attack.map { $0 - Double(mark.position) } ?? 0, lead: StretchMark.lead(scale: scale))
    }

    private static func marks(_ onsets: [Int], start: Int, length: Int, loops: Bool, grain: Double) -> [StretchMark] {
        let (grain, reach) = (Int(grain), Int(grain / 8))
        func distance(_ position: Int) -> Int {
            let apart = abs(position - start)
            return loops ? min(apart, length - apart) : apart
        }
        var positions: [Int] = []
        for onset in onsets where onset >= (positions.last ?? -reach) + reach / 2 { positions.append(onset) }
        let nearest = loops ? positions.min { distance($0) < distance($1) } : nil
        if let nearest, distance(nearest) <= reach {
            return positions.map { StretchMark(position: $0, isCut: true, isRestart: $0 == nearest) }
        }
        // A one-shot begins at its first frame, whatever attack is found close to it. So does a pass of a loop right after
        // an attack, whose grain would put off a beginning that is not cut.
        let others = positions.filter { distance($0) > reach }
        let followsAttack = others.contains { (start - $0 + length) % length < grain }
        let first = StretchMark(position: start, isCut: !loops || followsAttack, isRestart: true)
        return (others.map { StretchMark(position: $0, isCut: true, isRestart: false) } + [first])
            .sorted { $0.position < $1.position }
    }
}
