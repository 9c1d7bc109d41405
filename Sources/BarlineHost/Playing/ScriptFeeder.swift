import BarlineEngine
import BarlineSession
import BarlineTime

/// Sends the actions of a script to the engine, a little before they are due.
struct ScriptFeeder {
    private var schedule: ArraySlice<(frame: FrameTime, entry: ScriptEntry)>
    private var deferred: [(frame: FrameTime, entry: ScriptEntry)] = []
    private let source: String

    /// - Parameters:
    ///   - plan: what has the script.
    ///   - sampleRate: the rate at which seconds become frames.
    init(_ plan: HostPlan, sampleRate: SampleRate) {
        var script = plan.script
        script.entries += plan.entries(sampleRate)
        schedule = script.schedule(at: sampleRate)[...]
        source = script.path
    }

    /// Whether nothing is left to be sent.
    var isDone: Bool { schedule.isEmpty && deferred.isEmpty }

    /// Sends the actions that are due before `horizon`, and returns what the user should know.
    mutating func feed(before horizon: FrameTime, _ session: LiveSession) -> [String] {
        var messages: [String] = []
        while let next = schedule.first, next.frame < horizon {
            schedule.removeFirst()
            // What follows in a playlist is known only when the frame comes.
            if case .playlist = next.entry.action, next.frame > session.player.engine.playlist.state.frame {
                deferred.append(next)
            } else if let message = perform(next.entry, at: next.frame, session) {
                messages.append(message)
            }
        }
        return messages
    }

    /// Performs what had to wait for its frame, and returns what the user should know.
    mutating func performDeferred(until now: FrameTime, _ session: LiveSession) -> [String] {
        var messages: [String] = []
        while let next = deferred.first, next.frame <= now {
            deferred.removeFirst()
            if let message = perform(next.entry, at: nil, session) { messages.append(message) }
        }
        return messages
    }

    private func perform(_ entry: ScriptEntry, at frame: FrameTime?, _ session: LiveSession) -> String? {
        do throws(SessionError) {
            return try session.perform(
                entry.action, at: frame.map(ScriptTime.frame), source: source, key: "line \(entry.line)", reach: .user
            ).warning?.description
        } catch {
            return "\(error)"
        }
    }
}
