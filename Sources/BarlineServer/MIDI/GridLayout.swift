import BarlineSession

/// The layout of a grid controller's pads, and its colours.
struct GridLayout {
    /// The state of a pad's light.
    enum Light: Hashable {
        case off
        case stopped
        case queued
        case playing
        case stopping
        /// Something waits to be recorded.
        case armed
        /// Something is recorded, into the slot or over its loop.
        case recording
    }

    /// Columns and rows of every grid.
    static let size = 8
    /// Messages that light a pad, and on the Launchpads that can, let it flash and pulse: notes on channels 1, 2 and 3.
    private static let steady: UInt8 = 0x90
    private static let flashing: UInt8 = 0x91
    private static let pulsing: UInt8 = 0x92

    let grid: MIDIDocument.Grid

    /// The note of a pad; rows are counted from the top.
    func note(column: Int, row: Int) -> UInt8 {
        switch grid {
        case .launchpad: UInt8(10 * (GridLayout.size - row) + column + 1)
        case .launchpadClassic: UInt8(16 * row + column)
        }
    }

    /// The pad of a note.
    func pad(note: Int) -> (column: Int, row: Int)? {
        let column: Int
        let row: Int
        switch grid {
        case .launchpad: (column, row) = (note % 10 - 1, GridLayout.size - note / 10)
        case .launchpadClassic: (column, row) = (note % 16, note / 16)
        }
        let range = 0..<GridLayout.size
        return range.contains(column) && range.contains(row) ? (column, row) : nil
    }

    /// The row whose scene button sends a message.
    func scene(status: UInt8, number: Int) -> Int? {
        switch grid {
        case .launchpad:
            guard status & 0xf0 == 0xb0, number % 10 == 9, (1...8).contains(number / 10) else { return nil }
            return GridLayout.size - number / 10
        case .launchpadClassic:
            guard status & 0xf0 == 0x90, number % 16 == 8 else { return nil }
            return number / 16
        }
    }

    /// The message that lights a pad.
    func message(column: Int, row: Int, _ light: Light) -> [UInt8] {
        let note = note(column: column, row: row)
        switch grid {
        case .launchpad:
            // Colours are numbers of the controller's palette.
            return switch light {
            case .off: [GridLayout.steady, note, 0]
            case .stopped: [GridLayout.steady, note, 11]
            case .queued: [GridLayout.flashing, note, 13]
            case .playing: [GridLayout.pulsing, note, 21]
            case .stopping: [GridLayout.flashing, note, 5]
            case .armed: [GridLayout.flashing, note, 57]
            case .recording: [GridLayout.pulsing, note, 72]
            }
        case .launchpadClassic:
            // Two bits each of red and green.
            return switch light {
            case .off: [GridLayout.steady, note, 0x0c]
            case .stopped: [GridLayout.steady, note, 0x1d]
            case .queued: [GridLayout.steady, note, 0x3f]
            case .playing: [GridLayout.steady, note, 0x3c]
            case .stopping: [GridLayout.steady, note, 0x0f]
            case .armed: [GridLayout.steady, note, 0x2f]
            case .recording: [GridLayout.steady, note, 0x0f]
            }
        }
    }
}
