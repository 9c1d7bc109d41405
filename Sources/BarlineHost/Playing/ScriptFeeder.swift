import BarlineEngine
import BarlineSession
import BarlineTime
import Synchronization

/// Sends the actions of a script to the engine, a little before they are due. Changes of the session are made when
/// their frame has come, as any other edit is.
struct ScriptFeeder {
    private var schedule: ArraySlice<(frame: FrameTime, entry: ScriptEntry)>
    private var deferred: [(frame: FrameTime, entry: ScriptEntry)] = []
    /// What is for beats; of the playlist's, what follows is known only when they have come.
    private var moments: ScriptMoments
    private var playlistMoments: ScriptMoments
    private let source: String
    private let refusals = Refusals()

    /// Why changes could not be made, until it is told.
    private final class Refusals: Sendable {
        private let messages = Mutex<[String]>([])

        func add(_ message: String) { messages.withLock { $0.append(message) } }

        func take() -> [String] {
            messages.withLock { messages in
                defer { messages = [] }
                return messages
            }
        }
    }

    /// - Parameters:
    ///   - plan: what has the script.
    ///   - sampleRate: the rate at which seconds become frames.
    init(_ plan: HostPlan, sampleRate: SampleRate) {
        var script = plan.script
        script.entries += plan.entries(sampleRate)
        schedule = script.schedule(at: sampleRate)[...]
        moments = ScriptMoments(script) { !$0.isPlaylist }
        playlistMoments = ScriptMoments(script, where: \.isPlaylist)
        source = script.path
    }

    /// Whether nothing is left to be sent.
    var isDone: Bool { schedule.isEmpty && deferred.isEmpty && moments.isEmpty && playlistMoments.isEmpty }

    /// Makes the changes that the script begins with, before anything plays.
    ///
    /// - Throws: `SessionError` if one can't be made.
    mutating func makeFirstChanges(_ session: LiveSession) async throws(SessionError) {
        let first = schedule.prefix { $0.frame <= .zero }
        schedule.removeFirst(first.count)
        schedule = first.filter { !$0.entry.isChange } + schedule
        for case .change(let change) in first.map(\.entry.action) {
            _ = try await session.perform(.edit(try change.edit(source: source)), source: source)
        }
    }

    /// Sends the actions that are due before `horizon`, and returns what the user should know.
    mutating func feed(before horizon: FrameTime, _ session: LiveSession) -> [String] {
        var messages: [String] = []
        while let next = schedule.first, next.frame < horizon {
            schedule.removeFirst()
            let isAhead = next.frame > session.player.engine.playlist.state.frame
            if isAhead, next.entry.isPlaylist || next.entry.isChange {
                // What follows in a playlist is known only when the frame comes.
                deferred.append(next)
            } else if let message = perform(next.entry, at: .frame(next.frame), session) {
                messages.append(message)
            }
        }
        // The engine waits for their beats, whatever the tempo does until then.
        moments.follow(session.player.engine.transport.map)
        while let next = moments.next, next.frame < horizon {
            moments.removeNext()
            if let message = perform(next.entry, at: next.entry.time, session) { messages.append(message) }
        }
        return messages
    }

    /// Performs what had to wait for its frame, and returns what the user should know.
    mutating func performDeferred(until now: FrameTime, _ session: LiveSession) -> [String] {
        var messages = refusals.take()
        while let next = deferred.first, next.frame <= now {
            deferred.removeFirst()
            if let message = perform(next.entry, at: nil, session) { messages.append(message) }
        }
        let map = session.player.engine.transport.map
        playlistMoments.follow(map)
        while map.isRolling, let next = playlistMoments.next, next.frame <= now {
            playlistMoments.removeNext()
            if let message = perform(next.entry, at: nil, session) { messages.append(message) }
        }
        return messages
    }

    private func perform(_ entry: ScriptEntry, at time: ScriptTime?, _ session: LiveSession) -> String? {
        do throws(SessionError) {
            if case .change(let change) = entry.action {
                let source = "\(source): line \(entry.line)"
                session.submit(.edit(try change.edit(source: source)), source: source) { [refusals] result in
                    if case .failure(let error) = result { refusals.add("\(error)") }
                }
                return nil
            }
            return try session.perform(
                entry.action, at: time, source: source, key: "line \(entry.line)", reach: .user,
                isScripted: true
            ).warning?.description
        } catch {
            return "\(error)"
        }
    }
}

extension ScriptEntry {
    fileprivate var isPlaylist: Bool { if case .playlist = action { true } else { false } }
    fileprivate var isChange: Bool { if case .change = action { true } else { false } }
}
