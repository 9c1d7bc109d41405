import BarlineServer
import BarlineSession

extension FuzzBoundary {
    /// Controllers: OSC and MIDI.
    static func controls(_ stage: FuzzStage) -> [FuzzBoundary] {
        [
            FuzzBoundary(
                "osc", limit: 1 << 11,
                words: ["#bundle", "/barline/"]
                    + Reference.verbs.filter { $0.osc != nil }.map { "/barline/\($0.word)" },
                take: readOSC),
            FuzzBoundary("midi", limit: 256) { input in
                try stage.begin()
                try stage.midi.send(messages(input))
                stage.play()
            },
        ]
    }

    /// What is read can be written, and is the same when it is read again.
    private static func readOSC(_ input: [UInt8]) throws {
        guard let packet = try? OSCPacket(input) else { return }
        for (_, message) in packet.messages {
            let bytes = message.bytes
            guard let again = try? OSCPacket(bytes).messages.first?.message else {
                throw BrokenPromise("a message that was written is refused: \(message)")
            }
            try BrokenPromise.check(again.bytes == bytes, "a message that was written is another one: \(message)")
            guard let action = OSCAction.action(message) else { continue }
            _ = PerformanceAction.includes(action)
            _ = try? ControlAction(action, source: "OSC")
        }
    }

    /// A stream of bytes as messages: each begins with a byte that has its highest bit set.
    private static func messages(_ input: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for byte in input {
            if byte >= 0x80 || messages.isEmpty { messages.append([]) }
            messages[messages.count - 1].append(byte)
        }
        return messages
    }
}
