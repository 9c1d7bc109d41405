import BarlineDSP

/// The drum loops of the set.
enum DrumPatterns {
    /// Intro: a shaker, a rim and a muffled heartbeat.
    static func dustShaker(_ canvas: inout LoopCanvas) {
        paint(
            [
                DrumLane(drum: .kick(weight: 0.7), steps: "x.........x.....", level: 0.62),
                DrumLane(
                    drum: .shaker, steps: "xoXoxoXoxoXoxoXx", level: 0.55, pan: 0.3, send: 0.12, timingVariation: 0.003,
                    lean: -0.004),
                DrumLane(
                    drum: .rim, steps: "...x..o.....x...", level: 0.3, pan: -0.35, send: 0.5, timingVariation: 0.002),
                DrumLane(
                    drum: .closedHat, steps: "....o.......o..o", level: 0.3, pan: -0.15, send: 0.2,
                    timingVariation: 0.002),
            ],
            on: &canvas, name: "dust", room: Reverb(time: 0.9, tone: 5_500), tail: 0.55)
        Movement.narrow(&canvas, to: 0.7)
    }

    /// Groove: four on the floor, claps on two and four, open hats between.
    static func fourSteps(_ canvas: inout LoopCanvas) {
        paint(
            [
                DrumLane(drum: .kick(weight: 0.85), steps: "X...X...X...X...X...X...X...X..o", level: 0.9),
                DrumLane(drum: .clap, steps: "....x.......x...", level: 0.62, send: 0.35, timingVariation: 0.001),
                DrumLane(drum: .snare, steps: "....x.......x.......x.......x..o", level: 0.32, send: 0.2),
                DrumLane(drum: .closedHat, steps: "xo.oxo.oxo.oxo.o", level: 0.42, pan: 0.25, timingVariation: 0.003),
                DrumLane(
                    drum: .openHat, steps: "..x...x...x...X.", level: 0.36, pan: 0.18, send: 0.06,
                    timingVariation: 0.001),
                DrumLane(
                    drum: .shaker, steps: "oxXxoxXxoxXxoxXx", level: 0.32, pan: -0.45, timingVariation: 0.004,
                    lean: -0.004),
                DrumLane(
                    drum: .rim, steps: "...o......x............o..x..o..", level: 0.26, pan: -0.3, send: 0.5,
                    timingVariation: 0.002),
            ],
            on: &canvas, name: "four", room: Reverb(time: 0.7, size: 0.8, tone: 6_000), tail: 0.4)
    }

    /// Lift: a driving kick, sixteenth hats and hand drums tuned to the key.
    static func highGear(_ canvas: inout LoopCanvas) {
        paint(
            [
                DrumLane(drum: .kick(weight: 0.75), steps: "X...X...X...X...X...X...X..xX...", level: 0.9),
                DrumLane(drum: .clap, steps: "....X.......X...", level: 0.6, send: 0.4, timingVariation: 0.001),
                DrumLane(drum: .snare, steps: "....x.......x.......x..o..o.xoX.", level: 0.42, send: 0.25),
                DrumLane(drum: .closedHat, steps: "XoxoXoxoXoxoXoxo", level: 0.42, pan: -0.22, timingVariation: 0.002),
                DrumLane(
                    drum: .openHat, steps: "..X...X...X...X.", level: 0.42, pan: 0.2, send: 0.08, timingVariation: 0.001
                ),
                DrumLane(drum: .shaker, steps: "oxXx", level: 0.32, pan: 0.5, timingVariation: 0.003, lean: -0.004),
                DrumLane(
                    drum: .tom(pitch: 57), steps: "...x..x....x..............x.....", level: 0.3, pan: -0.5, send: 0.35,
                    timingVariation: 0.003),
                DrumLane(
                    drum: .tom(pitch: 52), steps: ".......o......x........x......x.", level: 0.32, pan: 0.45,
                    send: 0.35, timingVariation: 0.003),
            ],
            on: &canvas, name: "gear", room: Reverb(time: 0.8, tone: 6_500), tail: 0.4)
    }

    /// Break: half time, with a snare in a larger room.
    static func halfLight(_ canvas: inout LoopCanvas) {
        paint(
            [
                DrumLane(drum: .kick(weight: 1.1), steps: "X.........x.....X..o......x.....", level: 0.8),
                DrumLane(drum: .snare, steps: "........X...............X.....o.", level: 0.6, pan: 0.05, send: 0.6),
                DrumLane(drum: .clap, steps: "........o.......", level: 0.42, send: 0.7, timingVariation: 0.002),
                DrumLane(
                    drum: .closedHat, steps: "x.o.x.oox.o.x.o.x.o.x.oox.oox.o.", level: 0.4, pan: 0.3, send: 0.1,
                    timingVariation: 0.003),
                DrumLane(drum: .openHat, steps: "..............x.................", level: 0.32, pan: 0.2, send: 0.3),
                DrumLane(
                    drum: .rim, steps: "......o..x...........o...x..o...", level: 0.3, pan: -0.4, send: 0.7,
                    timingVariation: 0.003),
            ],
            on: &canvas, name: "half", room: Reverb(time: 1.7, size: 1.3, tone: 4_200, predelay: 0.02), tail: 0.5)
    }

    private static func paint(
        _ lanes: [DrumLane], on canvas: inout LoopCanvas, name: String, room: Reverb, tail: Double
    ) {
        var send = canvas.blank()
        var random = SplitMix64(name: name)
        for lane in lanes {
            var strip = canvas.blank()
            lane.paint(on: &strip, random: &random)
            canvas.add(strip)
            if lane.send > 0 { send.add(strip, gain: lane.send) }
        }
        room.replace(&send)
        canvas.add(send, gain: tail)
    }
}
