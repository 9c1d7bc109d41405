import BarlineEngine

/// A playlist as a musician would describe it: a list, a place in it, and what sounds frame by frame.
///
/// An independent model, at rate 1, without shuffle: every frame is looked at on its own.
struct ReferencePlaylist {
    enum Step {
        case insert(PlaylistItem, at: Int)
        case remove(Int)
        case move(from: Int, to: Int)
        case replace(Int, PlaylistItem)
        case next, previous, play, pause, stop
        case playIndex(Int)
        case seek(Int)
        case repetition(PlaylistModes.Repeat)
    }

    private(set) var list: [PlaylistItem] = []
    private var current = 0
    private var position = 0
    private var isPlaying = false
    private var repetition = PlaylistModes.Repeat.off
    /// What is heard.
    private(set) var sound: [Float] = []
    /// Which frames are within 5 ms of a start, a stop or a jump.
    private(set) var isFading: [Bool] = []
    private(set) var events: [String] = []
    private var fadeFrames = 0
    private var started: Int?

    init(_ list: [PlaylistItem]) { self.list = list }

    mutating func render(to frame: Int) {
        while sound.count < frame {
            passBoundary()
            var sample: Float = 0
            if isPlaying {
                sample = list[current].samples[position]
                position += 1
            }
            sound.append(sample)
            isFading.append(fadeFrames > 0)
            fadeFrames -= 1
        }
    }

    /// Goes on where an item has ended. What is asked for on the same frame comes before.
    private mutating func passBoundary() {
        guard isPlaying, position >= list[current].samples.count else { return }
        end()
        position = 0
        switch repetition {
        case .one: break
        case .all: current = (current + 1) % list.count
        case .off:
            current += 1
            if current == list.count {
                current = 0
                isPlaying = false
                return
            }
        }
        start()
    }

    private mutating func start() {
        if !isPlaying || started != nil { return }
        started = list[current].id.rawValue
        events.append("\(sound.count) start \(list[current].id.rawValue)")
    }

    private mutating func end() {
        if let started { events.append("\(sound.count) end \(started)") }
        started = nil
    }

    private mutating func jump(to index: Int, _ frame: Int = 0) {
        end()
        current = index
        position = frame
        fadeFrames = 240
        start()
    }

    private mutating func halt() {
        end()
        position = 0
        isPlaying = false
        fadeFrames = 240
    }

    mutating func perform(_ step: Step) {
        switch step {
        case .insert(let item, let index):
            if !list.isEmpty, index <= current { current += 1 }
            list.insert(item, at: index)
        case .remove(let index):
            list.remove(at: index)
            if index < current { current -= 1 } else if index == current { leaveRemoved() }
        case .move(let from, let target):
            let id = list.isEmpty ? nil : list[current].id
            let item = list.remove(at: from)
            list.insert(item, at: target)
            current = list.firstIndex { $0.id == id } ?? 0
        case .replace(let index, let item):
            list[index] = item
            if index == current { jump(to: index) }
        case .next:
            if current + 1 < list.count || repetition == .all {
                jump(to: (current + 1) % max(1, list.count))
            } else {
                halt()
                current = 0
            }
        case .previous:
            if current > 0 { jump(to: current - 1) } else { jump(to: repetition == .all ? list.count - 1 : 0) }
        case .playIndex(let index):
            isPlaying = true
            jump(to: index)
        case .seek(let frame):
            position = frame
            fadeFrames = 240
        case .play:
            isPlaying = true
            fadeFrames = 240
            start()
        case .pause:
            isPlaying = false
            fadeFrames = 240
        case .stop: halt()
        case .repetition(let value): repetition = value
        }
    }

    private mutating func leaveRemoved() {
        let index = current
        if list.isEmpty {
            halt()
            current = 0
        } else if index < list.count {
            jump(to: index)
        } else if repetition == .all {
            jump(to: 0)
        } else {
            halt()
            current = 0
        }
    }

    /// A step that can be made now, at random.
    mutating func randomStep(_ random: inout TestRandom, item: (inout TestRandom) -> PlaylistItem) -> Step {
        if list.count < 2 { return .insert(item(&random), at: random.int(0...list.count)) }
        let index = random.int(0...list.count - 1)
        switch random.int(0...19) {
        case 0...4: return .insert(item(&random), at: random.int(0...list.count))
        case 5...8: return list.count > 12 || random.chance(0.5) ? .remove(index) : .move(from: index, to: 0)
        case 9...11: return .move(from: index, to: random.int(0...list.count - 1))
        case 12: return .replace(index, item(&random))
        case 13: return .next
        case 14: return random.chance(0.5) ? .previous : .playIndex(index)
        case 15: return .seek(random.int(0...list[current].samples.count - 1))
        case 16: return isPlaying ? .pause : .play
        case 17: return random.chance(0.1) ? .stop : .play
        case 18: return .repetition(random.pick([.off, .all, .one]))
        default: return .play
        }
    }

    /// Frames until the item that plays ends.
    var framesLeft: Int? { isPlaying ? list[current].samples.count - position : nil }
}
