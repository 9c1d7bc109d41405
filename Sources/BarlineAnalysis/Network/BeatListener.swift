/// Runs the beat networks over a long sound piece by piece: what it answers is what it would answer to the whole.
final class BeatListener {
    private static let pieceLength = 4096

    private let networks: BeatEnsemble
    /// Rows without an answer yet, after those that their answers depend on.
    private var pending = BeatRows()
    private var answered = 0
    private var answer = BeatEnsemble.Answer()

    init(_ networks: BeatEnsemble) { self.networks = networks }

    /// Takes in rows.
    func add(_ rows: BeatRows) {
        pending.append(rows)
        if pending.count - answered >= BeatListener.pieceLength + BeatNetwork.reach {
            run(upTo: pending.count - BeatNetwork.reach)
        }
    }

    /// Ends the sound.
    ///
    /// - Parameter count: how many values an envelope of the sound has.
    /// - Returns: what was heard in all of it.
    func finish(count: Int) -> BeatActivity {
        run(upTo: pending.count)
        return BeatActivity(answer, of: networks, count: count, isLoop: false)
    }

    private func run(upTo end: Int) {
        guard end > answered else { return }
        answer.append(networks.run(pending, isLoop: false, range: answered..<end))
        let spent = max(0, end - BeatNetwork.reach)
        pending.removeFirst(spent)
        answered = end - spent
    }
}
