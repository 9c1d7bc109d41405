import BarlineEngine
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// Plays a session from MIDI controllers, and lights their pads.
///
/// What comes is done on the frame on which it came: a press that is taken up a little later counts from when it was
/// made.
package final class MIDIControl: Sendable {
    /// A port that messages come from and go to.
    package struct Port: Sendable {
        let take: @Sendable (FrameTime) -> [(bytes: [UInt8], frame: FrameTime)]
        let send: @Sendable ([UInt8]) -> Bool
        let joined: @Sendable () -> Int
        let wait: @Sendable (Double) -> Void
        let wake: @Sendable () -> Void

        /// A port.
        ///
        /// - Parameters:
        ///   - take: returns what has come since the last call; called with the engine's approximate frame.
        ///   - send: sends a message; `false` where it must be sent again later.
        ///   - joined: counts how often controllers were found again: then their lights are sent again.
        ///   - wait: returns when something has come, or after so many seconds.
        ///   - wake: ends `wait`.
        package init(
            take: @escaping @Sendable (FrameTime) -> [(bytes: [UInt8], frame: FrameTime)],
            send: @escaping @Sendable ([UInt8]) -> Bool, joined: @escaping @Sendable () -> Int = { 0 },
            wait: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: min($0, 0.003)) },
            wake: @escaping @Sendable () -> Void = {}
        ) {
            self.take = take
            self.send = send
            self.joined = joined
            self.wait = wait
            self.wake = wake
        }
    }

    private let session: LiveSession
    private let port: Port
    private let refused: @Sendable (SessionError) -> Void
    /// Makes what takes the messages of a clock, if one is followed.
    private let clock: @Sendable () -> MIDIClockInput?
    private let worker = Worker("barline-midi")

    /// How often pads are lit, in seconds, and how often it is looked whether there are any.
    private static let lightInterval = 0.03
    private static let lookInterval = 1.0

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - session: what is played.
    ///   - port: the controllers.
    ///   - report: is called with what could not be done, as programs are.
    package convenience init(_ session: LiveSession, port: Port, report: @escaping @Sendable (String) -> Void) {
        self.init(session, port: port, refused: { report("\($0)") })
    }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - session: what is played.
    ///   - port: the controllers.
    ///   - clock: makes what follows a clock that comes with the rest, on the thread that will use it.
    ///   - refused: is called with what could not be done.
    package init(
        _ session: LiveSession, port: Port, clock: @escaping @Sendable () -> MIDIClockInput? = { nil },
        refused: @escaping @Sendable (SessionError) -> Void
    ) {
        self.session = session
        self.port = port
        self.clock = clock
        self.refused = refused
        worker.start { [self] in run() }
    }

    /// Ends, and leaves the pads dark.
    package func stop() { worker.end(waking: port.wake) }

    private func run() {
        var midi = MIDIDocument()
        var revision = -1
        var lights: [Int: GridLayout.Light] = [:]
        var lit = -Double.infinity
        var joined = port.joined()
        let clock = clock()
        while !worker.shouldEnd {
            if session.player.revision != revision {
                revision = session.player.revision
                let before = midi.grid
                midi = MIDIDocument(session.player.document)
                if midi.grid != before {
                    darken(before, lights)
                    lights = [:]
                }
            }
            var moves = ControlMoves()
            for message in port.take(session.player.engine.state.frame) where clock?.take(message) != true {
                take(message.bytes, message.frame, midi, &moves)
            }
            for action in moves.latest {
                if case .perform(let word, nil) = action { perform(word, nil) } else { submit(action) }
            }
            if port.joined() != joined {
                joined = port.joined()
                lights = [:]
            }
            clock?.look()
            let longest = clock?.watchInterval ?? MIDIControl.lookInterval
            guard let grid = midi.grid else {
                port.wait(longest)
                continue
            }
            let now = LiveSession.now
            if now - lit >= MIDIControl.lightInterval {
                lit = now
                light(GridLayout(grid: grid), &lights)
            }
            port.wait(max(0, min(longest, lit + MIDIControl.lightInterval - now)))
        }
        darken(midi.grid, lights)
    }

    // MARK: In

    private func take(_ bytes: [UInt8], _ frame: FrameTime, _ midi: MIDIDocument, _ moves: inout ControlMoves) {
        // One that is cut off means nothing.
        guard let status = bytes.first, bytes.count == (status & 0xf0 == 0xc0 ? 2 : 3),
            bytes.dropFirst().allSatisfy({ $0 < 128 })
        else { return }
        let number = Int(bytes[1])
        let value = bytes.count > 2 ? Int(bytes[2]) : 127
        let kind: MIDIDocument.Mapping.Message
        var isPress = value > 0
        switch status & 0xf0 {
        case 0x80: (kind, isPress) = (.note, false)
        case 0x90: kind = .note
        case 0xb0: kind = .controller
        case 0xc0: (kind, isPress) = (.program, true)
        default: return
        }
        let channel = Int(status & 15)
        if isPress, let learnRequest = session.takeLearnRequest() {
            let edit = DocumentEdit.adding(learnRequest.mapping(kind, channel: channel, number: number))
            return submit(.edit(edit))
        }
        let mapping = midi.mappings.last {
            $0.message == kind && $0.number == number && ($0.channel ?? channel) == channel
        }
        if let mapping, mapping.key != nil {
            guard let action = valueAction(mapping, value: value, isPress: isPress, frame) else { return }
            return moves.add(action, of: ControlMoves.Control(status: status, number: number))
        }
        if let mapping { return follow(mapping, value: value, isPress: isPress, frame) }
        if kind == .program, midi.launchesScenes { return perform(.launchScene(number), frame) }
        let grid = midi.grid.map(GridLayout.init(grid:))
        if let row = grid?.scene(status: status, number: number) {
            if isPress { perform(.launchScene(row), frame) }
        } else if kind == .note, let pad = grid?.pad(note: number) {
            press(column: pad.column, row: pad.row, isPress: isPress, frame)
        } else if kind == .note, isPress {
            let document = session.player.document
            for part in SessionParts.noted {
                for action in part.actions(ofNote: number, velocity: Double(value) / 127, in: document) {
                    play(action, frame)
                }
            }
        }
    }

    private func follow(_ mapping: MIDIDocument.Mapping, value: Int, isPress: Bool, _ frame: FrameTime) {
        if mapping.isHeld, case .object(var values) = mapping.action {
            values["press"] = isPress ? "down" : "up"
            perform(parsing: .object(values), frame)
        } else if isPress || mapping.isLatching {
            perform(parsing: mapping.action, frame)
        } else if case .object(let values) = mapping.action, values["do"] == "launch", let clip = values["clip"] {
            perform(parsing: ["do": "release", "clip": clip], frame)
        }
    }

    private func press(column: Int, row: Int, isPress: Bool, _ frame: FrameTime) {
        let document = session.player.document
        guard document.tracks.indices.contains(column) else { return }
        let track = document.tracks[column]
        if session.player.hasFootSwitch(slot: row, on: track) {
            let pedal = FootSwitch.Pedal(track: track.id, slot: row)
            perform(.relative(.footSwitch(pedal, isPress ? .down : .up), at: nil), frame)
        } else if let clip = session.player.clip(track: column, slot: row) {
            perform(isPress ? .launch(clip: clip.document.id) : .release(clip: clip.document.id), frame)
        } else if isPress {
            perform(.stop(track: track.id), frame)
        }
    }

    /// Where a grid is waited for, the frame on which a hit came decides which boundary that is. Any other hit sounds
    /// a block after that frame, so that hits are as far apart as they came; with the next block if that is too late.
    private func play(_ action: ScriptAction, _ frame: FrameTime) {
        let document = session.player.document
        if SessionParts.noted.contains(where: { $0.waits(action, in: document) }) { return perform(action, frame) }
        if let due = due(frame), (try? session.perform(action, at: .frame(due), source: "MIDI")) != nil { return }
        perform(action, nil)
    }

    /// The frame a block after `frame`, if the output has not asked for the block that it is in.
    private func due(_ frame: FrameTime) -> FrameTime? {
        let engine = session.player.engine
        let (now, length) = (engine.now, Int64(engine.blockFrames))
        let due = frame + length
        guard length > 0, due >= now else { return nil }
        let start = now + (due - now) / length * length
        return engine.earliestFrame(at: .now) - length < start ? due : nil
    }

    /// What the session keeps waits for no boundary, and is done with the next block: of what has a time, the page would
    /// show nothing before that has come.
    private func perform(_ action: ScriptAction, _ frame: FrameTime?) {
        do throws(SessionError) {
            let time = action.isKept ? nil : frame.map(ScriptTime.frame)
            _ = try session.perform(action, at: time, source: "MIDI")
        } catch {
            refused(error)
        }
    }

    private func perform(parsing value: JSONValue, _ frame: FrameTime) {
        do throws(SessionError) {
            perform(try ControlAction(value, source: "MIDI"), frame)
        } catch {
            refused(error)
        }
    }

    private func perform(_ asked: ControlAction, _ frame: FrameTime) {
        do throws(SessionError) {
            for action in try session.resolved(asked.timed(.frame(frame)), source: "MIDI") {
                switch (asked, action) {
                // The state of a toggle is kept, so that the next press reverses it.
                case (.relative(.toggle, _), .perform(let word, _)): perform(word, nil)
                case (_, .perform(let action, _)):
                    if case .part = action { play(action, frame) } else { perform(action, frame) }
                case (_, let action): submit(action)
                }
            }
        } catch {
            refused(error)
        }
    }

    /// What is to be done for a control whose value is a part of its action; `nil` where that is nothing, or done. A
    /// fader waits for no boundary: it moves at once, and the session keeps it. What is hit sounds on its frame.
    private func valueAction(
        _ mapping: MIDIDocument.Mapping, value: Int, isPress: Bool, _ frame: FrameTime
    ) -> ControlAction? {
        guard mapping.message == .controller || isPress else { return nil }
        do throws(SessionError) {
            let action = try ControlAction(mapping.action(for: value), source: "MIDI")
            guard case .perform(let hit, _) = action, case .part = hit else { return action }
            if isPress { play(hit, frame) }
        } catch {
            refused(error)
        }
        return nil
    }

    private func submit(_ action: ControlAction) {
        let refused = refused
        session.submit(action) { result in
            if case .failure(let error) = result { refused(error) }
        }
    }

    // MARK: Out

    private func darken(_ grid: MIDIDocument.Grid?, _ lights: [Int: GridLayout.Light]) {
        guard let grid else { return }
        for (pad, light) in lights where light != .off {
            _ = port.send(GridLayout(grid: grid).message(column: pad % 8, row: pad / 8, .off))
        }
    }

    /// Sends what has changed on the grid; what does not fit is sent the next time.
    private func light(_ grid: GridLayout, _ lights: inout [Int: GridLayout.Light]) {
        let player = session.player
        let shown = Shown(
            document: player.document, takes: player.openTakes, overdubs: player.overdubs, state: player.engine.state)
        for row in 0..<GridLayout.size {
            for column in 0..<GridLayout.size {
                let light = light(column: column, row: row, shown)
                let pad = 8 * row + column
                if lights[pad] == light { continue }
                if !port.send(grid.message(column: column, row: row, light)) { return }
                lights[pad] = light
            }
        }
    }

    /// The state that the lights follow from.
    private struct Shown {
        let document: SessionDocument
        let takes: [TakeStatus]
        let overdubs: [String: OverdubStatus]
        let state: EngineState

        /// What is recorded into a slot; `nil` for nothing.
        func recording(column: Int, row: Int) -> GridLayout.Light? {
            guard document.tracks.indices.contains(column) else { return nil }
            let id = document.tracks[column].id
            return takes.last { $0.track == id && $0.slot == row }.map { $0.since == nil ? .armed : .recording }
        }
    }

    private func light(column: Int, row: Int, _ shown: Shown) -> GridLayout.Light {
        guard let clip = session.player.clip(track: column, slot: row) else {
            return shown.recording(column: column, row: row) ?? .off
        }
        guard let handle = clip.handle else { return .off }
        if let overdub = shown.overdubs[clip.document.id] { return overdub.since == nil ? .armed : .recording }
        return switch shown.state.status(of: handle, on: clip.track) {
        case .stopped: .stopped
        case .queued: .queued
        case .playing: .playing
        case .stopping: .stopping
        }
    }
}

extension MIDIControl: HostObserver {
    /// It looks at the session itself.
    package func receive(_ report: HostReport) {}

    /// Leaves the pads dark while they can still be reached.
    package func outputWillClose() { stop() }
}
