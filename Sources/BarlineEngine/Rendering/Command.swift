import BarlineTime

/// The moment that a command waits for, if its frame is not known in advance.
enum CommandWait: BitwiseCopyable {
    /// The command's frame.
    case frame
    case beat(Beat)
    /// The line of a bar, counted from 0.
    case bar(Int64)
    case nextBar
    case host(HostTime)
}

/// An action, and when it takes effect.
struct Command: BitwiseCopyable, @unchecked Sendable {
    /// Stands for the first frame of the next block.
    static var nextBlock: FrameTime { @_noLocks get { FrameTime(rawValue: .min) } }

    /// The frame for which it was sent.
    var frame: FrameTime
    /// The frame at which it is performed: `frame`, or later if the command was late.
    var due = FrameTime(rawValue: 0)
    /// The moment that it waits for.
    let wait: CommandWait
    let action: EngineAction
    let id: CommandID

    /// Whether it is taken as soon as the next block begins.
    var isForNextBlock: Bool {
        @_noLocks get { if case .frame = wait { frame == Command.nextBlock } else { false } }
    }

    init(frame: FrameTime, wait: CommandWait = .frame, action: EngineAction, id: CommandID) {
        self.frame = frame
        self.wait = wait
        self.action = action
        self.id = id
    }
}
