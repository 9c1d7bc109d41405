import BarlineTime
import Testing

@Suite("Metre map")
struct MetreMapTests {
    @Test("Bar lines stay where a list of bars puts them, through random changes of metre", arguments: 0..<16)
    func bars(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let signatures = try ["4/4", "3/4", "7/8", "5/4", "6/8", "2/2", "15/16", "1/4"].map {
            try #require(TimeSignature($0))
        }
        var map = MetreMap(signatures[0], capacity: 256)
        // The model: the length of every bar, one after the other.
        var lines = [0.0]
        var current = signatures[0]
        for _ in 0..<100 {
            let bars = Int.random(in: 1...9, using: &random)
            for _ in 0..<bars { lines.append(lines[lines.count - 1] + current.quartersPerBar) }
            let next = signatures[Int.random(in: 0..<signatures.count, using: &random)]
            // Anywhere within the bar before the last line, or on the line itself.
            let back = Double.random(in: 0..<1, using: &random) * current.quartersPerBar
            let at = Bool.random(using: &random) ? lines[lines.count - 1] : lines[lines.count - 1] - back
            let line = map.change(atOrAfter: Beat(at), to: next)
            #expect(abs(line.rawValue - lines[lines.count - 1]) < 1e-9)
            let isSound = map.checkInvariants()
            #expect(isSound)
            current = next
        }
        for (bar, line) in lines.enumerated() {
            #expect(abs(map.beat(ofBar: Int64(bar)).rawValue - line) < 1e-9)
            #expect(abs(map.bars(at: Beat(line)) - Double(bar)) < 1e-9)
            #expect(map.position(at: Beat(line)).bar == Int64(bar))
            #expect(map.position(at: Beat(line)).pulse == 0)
            #expect(map.position(at: Beat(line - 0.01)).bar == Int64(bar) - 1)
        }
    }

    @Test("Pulses are counted in the metre's own note value")
    func pulses() throws {
        let map = MetreMap("7/8")
        for pulse in 0..<70 {
            let position = map.position(at: Beat(Double(pulse) * 0.5))
            #expect(position.bar == Int64(pulse / 7))
            #expect(position.pulse == pulse % 7)
        }
    }

    @Test("A count-in has negative bars of the first metre")
    func countIn() throws {
        let map = MetreMap("3/4")
        #expect(map.position(at: Beat(-3)).bar == -1)
        #expect(map.position(at: Beat(-1)).pulse == 2)
        #expect(map.bars(at: Beat(-4.5)) == -1.5)
    }

    @Test("A change on the first bar line leaves the count-in before it as it was, however often it is made")
    func changeInCountIn() throws {
        var map = MetreMap("4/4")
        for metre in ["3/4", "7/8", "5/4"] {
            let signature = try #require(TimeSignature(metre))
            #expect(map.change(atOrAfter: Beat(0), to: signature) == Beat(0))
            #expect(map.position(at: Beat(-6)).bar == -2 && map.position(at: Beat(-6)).pulse == 2)
            #expect(map.beat(ofBar: -2) == Beat(-8) && map.timeSignature(at: Beat(-1)) == TimeSignature("4/4"))
            #expect(map.beat(ofBar: 1) == Beat(signature.quartersPerBar) && map.timeSignature(at: Beat(0)) == signature)
        }
    }

    @Test(
        "Time signatures that mean nothing are refused",
        arguments: ["", "4", "0/4", "4/3", "65/4", "4/4/4", "a/4", "-3/4", "4/64"])
    func refused(text: String) { #expect(TimeSignature(text) == nil) }
}
