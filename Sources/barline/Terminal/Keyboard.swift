import Foundation
import Synchronization

/// A key of the terminal's keyboard.
enum Key: Hashable, Sendable {
    /// A character, with shift taken into account.
    case character(Character)
    /// F1 … F12.
    case function(Int)
    /// An arrow.
    case up, down, left, right
}

/// Reads single keys, on a thread of its own, while the terminal does not echo them.
final class Keyboard: Sendable {
    private let saved: Mutex<termios?> = Mutex(nil)
    private let keys = Mutex<[Key]>([])

    /// Takes over the keyboard; Ctrl-C still interrupts.
    func begin() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved.withLock { $0 = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Without this the terminal keeps Ctrl-Q for itself.
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count <= 0 { return }
                let pressed = Keyboard.parse(Array(bytes[..<count]))
                keys.withLock { $0 += pressed }
            }
        }
    }

    /// Gives the keyboard back.
    func end() {
        saved.withLock { saved in
            if var settings = saved { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
            saved = nil
        }
    }

    /// The keys pressed since the last call.
    func takeKeys() -> [Key] {
        keys.withLock { keys in
            defer { keys = [] }
            return keys
        }
    }

    /// Keys from the bytes that a terminal sends; sequences that are no function key or arrow are passed over.
    static func parse(_ bytes: [UInt8]) -> [Key] {
        let functions = [
            "OP": 1, "OQ": 2, "OR": 3, "OS": 4, "[11~": 1, "[12~": 2, "[13~": 3, "[14~": 4, "[15~": 5, "[17~": 6,
            "[18~": 7, "[19~": 8, "[20~": 9, "[21~": 10, "[23~": 11, "[24~": 12,
        ]
        let arrows: [Substring: Key] = [
            "[A": .up, "[B": .down, "[C": .right, "[D": .left, "OA": .up, "OB": .down, "OC": .right, "OD": .left,
        ]
        var keys: [Key] = []
        for (index, part) in bytes.split(separator: 27, omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: part, as: UTF8.self)
            if index == 0 {
                keys += text.map(Key.character)
            } else if let arrow = arrows[text.prefix(2)] {
                keys.append(arrow)
                keys += text.dropFirst(2).map(Key.character)
            } else if let (sequence, number) = functions.first(where: { text.hasPrefix($0.key) }) {
                keys.append(.function(number))
                keys += text.dropFirst(sequence.count).map(Key.character)
            }
        }
        return keys
    }
}
