import BarlineEngine
import BarlineTime

/// What is done while a session plays, as a script that gives the same samples when it is rendered.
///
/// An action without a frame gets the one on which the engine took it, which an event tells later.
struct PerformanceRecording {
    private var frames: [CommandID: FrameTime] = [:]
    private var waiting: [CommandID: ScriptAction] = [:]
    private var entries: [ScriptEntry] = []

    mutating func add(_ action: ScriptAction, sentAs command: CommandID, at frame: FrameTime?) {
        if let frame = frame ?? frames.removeValue(forKey: command) {
            entries.append(ScriptEntry(time: .frame(frame), action: action))
        } else {
            waiting[command] = action
        }
    }

    mutating func add(_ action: ScriptAction, at frame: FrameTime) {
        entries.append(ScriptEntry(time: .frame(frame), action: action))
    }

    mutating func taken(_ command: CommandID, at frame: FrameTime) {
        if let action = waiting.removeValue(forKey: command) {
            entries.append(ScriptEntry(time: .frame(frame), action: action))
        } else {
            frames[command] = frame
        }
    }

    var script: PerformanceScript {
        var script = PerformanceScript()
        script.entries = entries
        return script
    }
}

extension SessionPlayer {
    /// Begins to record what is done.
    public func startRecording() { recording.withLock { $0 = PerformanceRecording() } }

    /// Whether what is done is recorded.
    var isRecording: Bool { recording.withLock { $0 != nil } }

    func stopRecording() { recording.withLock { $0 = nil } }

    /// What was recorded so far. Actions whose events were not taken yet are missing.
    public var recordedScript: PerformanceScript { recording.withLock { $0?.script } ?? PerformanceScript() }

    func record(_ action: ScriptAction, at frame: FrameTime) {
        recording.withLock { $0?.add(action, at: frame) }
    }

    func record(_ action: ScriptAction, sentAs command: CommandID, at frame: FrameTime?) {
        recording.withLock { $0?.add(action, sentAs: command, at: frame) }
    }

    /// Takes what has happened since the last call; to be called often while a performance is recorded.
    public func takeEvents() -> [EngineEvent] {
        let events = engine.takeEvents()
        recording.withLock { recording in
            for event in events {
                if case .commandTaken(let command) = event.kind { recording?.taken(command, at: event.frame) }
            }
        }
        let hasEnded = events.contains { event in
            switch event.kind {
            case .itemEnded, .itemSkipped: true
            default: false
            }
        }
        if hasEnded { keepConsumedPlaylist() }
        return events
    }
}
