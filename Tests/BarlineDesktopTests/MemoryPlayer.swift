import Synchronization

@testable import BarlineDesktop

/// A player that does nothing but remember.
final class MemoryPlayer: MediaPlayer {
    private let state: Mutex<MediaPlayerState>
    private let received = Mutex<[MediaPlayerCommand]>([])

    init(_ state: MediaPlayerState) { self.state = Mutex(state) }

    var mediaState: MediaPlayerState { state.withLock { $0 } }

    func perform(_ command: MediaPlayerCommand) { received.withLock { $0.append(command) } }

    /// What was asked of it since this was last read.
    var commands: [MediaPlayerCommand] {
        received.withLock { commands in
            defer { commands.removeAll() }
            return commands
        }
    }

    func change(_ body: (inout MediaPlayerState) -> Void) {
        state.withLock { state in
            var changed = state
            body(&changed)
            state = changed
        }
    }
}
