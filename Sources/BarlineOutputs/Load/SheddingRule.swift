/// The rule for voice stealing under overload: when voices are faded out because the machine is overloaded, and how
/// many.
///
/// It applies when successive blocks, at least three and together at least ten milliseconds long, have each exceeded a
/// load of ``limit``: a single block interrupted by a busy machine does not count. The share stolen would bring the
/// load of the fastest of those blocks down to ``target``, if all voices cost the same. Then counting starts over.
struct SheddingRule: BitwiseCopyable {
    /// The load above which a block counts.
    static var limit: Double { @_noLocks get { 0.9 } }
    /// The load to reach.
    static var target: Double { @_noLocks get { 0.75 } }
    /// The minimum number of successive blocks, and their minimum total duration in seconds.
    static var blocks: Int { @_noLocks get { 3 } }
    static var seconds: Double { @_noLocks get { 0.01 } }

    private var count = 0
    private var length = 0.0
    private var least = 0.0

    @_noLocks init() {}

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - load: its load.
    ///   - seconds: its duration.
    /// - Returns: the share of the voices to steal now, above 0 and below 1; 0 for none.
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
