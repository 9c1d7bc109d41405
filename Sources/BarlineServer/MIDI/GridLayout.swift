import BarlineSession

/// Where a grid controller has its pads, and how it shows colours.
struct GridLayout {
    /// What a pad shows.
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
            // Channel 1 lights, 2 flashes, 3 pulses; colours are numbers of the controller's palette.
            return switch light {
            case .off: [0x90, note, 0]
            case .stopped: [0x90, note, 11]
            case .queued: [0x91, note, 13]
            case .playing: [0x92, note, 21]
            case .stopping: [0x91, note, 5]
            case .armed: [0x91, note, 57]
            case .recording: [0x92, note, 72]
            }
        case .launchpadClassic:
            // Two bits each of red and green.
            return switch light {
            case .off: [0x90, note, 0x0c]
            case .stopped: [0x90, note, 0x1d]
            case .queued: [0x90, note, 0x3f]
            case .playing: [0x90, note, 0x3c]
            case .stopping: [0x90, note, 0x0f]
            case .armed: [0x90, note, 0x2f]
            case .recording: [0x90, note, 0x0f]
            }
        }
    }
}
