import BarlineTime
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
    /// Esc, by itself.
    case escape
}

extension Key {
    static let controlD = Key.character("\u{4}")
    static let controlQ = Key.character("\u{11}")
    static let controlS = Key.character("\u{13}")
    static let controlY = Key.character("\u{19}")
    static let controlZ = Key.character("\u{1A}")
}

/// Reads single keys, on a thread of its own, while the terminal does not echo them.
final class Keyboard: Sendable {
    private let saved: Mutex<termios?> = Mutex(nil)
    private let keys = Mutex<[Key]>([])

    /// Reads keys from now on.
    ///
    /// - Parameter notify: is called, on the keyboard's thread, when there are keys to be taken.
    func begin(then notify: @escaping @Sendable () -> Void) {
        NamedThread.start("barline-keys") { [self] in
            while var bytes = Keyboard.read() {
                // A sequence may come in two parts; Esc by itself is followed by nothing.
                if bytes.last == 27, Keyboard.hasMore(within: 50), let rest = Keyboard.read() { bytes += rest }
                let pressed = Keyboard.parse(bytes)
                keys.withLock { $0 += pressed }
                notify()
            }
        }
    }

    private static func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 { return Array(bytes[..<count]) }
            if count < 0, errno == EINTR { continue }
            // In the background there are no keys; the terminal that has gone has none in front either.
            if count == 0 || errno != EIO || Suspension.isInFront { return nil }
            Thread.sleep(forTimeInterval: backgroundSeconds)
        }
    }

    /// How often it is looked whether the program has come to the front.
    private static let backgroundSeconds = 0.1

    private static func hasMore(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// Takes over the keyboard; Ctrl-C still interrupts.
    func takeOver() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved.withLock { saved in if saved == nil { saved = settings } }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Without this the terminal keeps Ctrl-Q for itself.
        settings.c_iflag &= ~tcflag_t(IXON)
        // Ctrl-Z undoes, as on the page: a key next to others must not stop the sound of a concert.
        let off = UInt8(truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
        withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = off }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
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

    /// Keys from the bytes that a terminal sends; sequences of other keys than function keys and arrows are ignored.
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
            } else if text.isEmpty {
                keys.append(.escape)
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
