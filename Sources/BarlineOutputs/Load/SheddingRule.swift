/// The rule of voice stealing under overload: when voices are faded out because the machine doesn't keep up, and how many.
///
/// It is when blocks in a row, three and ten milliseconds of them at least, have each taken more than ``limit`` of their
/// time: one that a busy machine has interrupted is none. What goes is the part of the voices that would bring the load
/// of the quickest of those blocks down to ``target``, if all cost the same. Then the counting starts over.
struct SheddingRule: BitwiseCopyable {
    /// The load above which a block counts.
    static var limit: Double { @_noLocks get { 0.9 } }
    /// The load that is aimed at.
    static var target: Double { @_noLocks get { 0.75 } }
    /// Blocks in a row, and how long they are together at least, in seconds.
    static var blocks: Int { @_noLocks get { 3 } }
    static var seconds: Double { @_noLocks get { 0.01 } }

    private var count = 0
    private var length = 0.0
    private var least = 0.0

    @_noLocks init() {}

    /// Takes a block in.
    ///
    /// - Parameters:
    ///   - load: what it took of its time.
    ///   - seconds: its time.
    /// - Returns: the share of the voices that is to be stolen now, above 0 and below 1; 0 for none.
    @_noLocks mutating func part(after load: Double, seconds: Double) -> Double {
        if !(load > SheddingRule.limit) {
            count = 0
            return 0
        }
        if count == 0 {
            length = 0
            least = load
        }
        count += 1
        length += seconds
        if load < least { least = load }
        if count < SheddingRule.blocks || length < SheddingRule.seconds { return 0 }
        count = 0
        return 1 - SheddingRule.target / least
    }
}
