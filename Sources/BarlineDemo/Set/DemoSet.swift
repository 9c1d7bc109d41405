/// The built-in demo set: four tracks by four scenes, in A minor.
///
/// Each loop is in tune at its own tempo, A being 440 Hz, and keeps its pitch at any other.
package enum DemoSet {
    /// The session's tempo, in beats a minute.
    package static let tempo: Double = 120

    /// The scenes, one to a slot.
    package static let sceneNames = ["Intro", "Groove", "Lift", "Break"]

    /// The tracks, in order.
    package static let tracks: [(id: String, name: String, color: String)] = [
        (id: "drums", name: "Drums", color: "#e8825a"),
        (id: "bass", name: "Bass", color: "#5b8dd6"),
        (id: "chords", name: "Chords", color: "#a07fd8"),
        (id: "lead", name: "Lead", color: "#4fb89a"),
    ]

    /// The loops, track by track. The bass sits out the intro.
    package static let loops: [DemoLoop] = drums + bass + chords + lead

    private static let drums = [
        DemoLoop(
            id: "drums-dust-shaker", name: "Dust Shaker", track: "drums", slot: 0, bpm: 96, beats: 4,
            sampleRate: 48_000, color: "#f0b08f", finish: Finish(floor: 30, drive: 2.9, peak: -9),
            paint: DrumPatterns.dustShaker),
        DemoLoop(
            id: "drums-four-steps", name: "Four Steps", track: "drums", slot: 1, bpm: 120, beats: 8,
            sampleRate: 48_000, color: "#e8825a", finish: Finish(floor: 28, drive: 1.9, peak: -9.9),
            paint: DrumPatterns.fourSteps),
        DemoLoop(
            id: "drums-high-gear", name: "High Gear", track: "drums", slot: 2, bpm: 126, beats: 8,
            sampleRate: 44_100, color: "#e2643c", finish: Finish(floor: 28, drive: 2.1, peak: -9.5),
            paint: DrumPatterns.highGear),
        DemoLoop(
            id: "drums-half-light", name: "Half Light", track: "drums", slot: 3, bpm: 140, beats: 8,
            sampleRate: 44_100, color: "#c98a72", finish: Finish(floor: 28, drive: 2.0, peak: -8.8),
            paint: DrumPatterns.halfLight),
    ]

    private static let bass = [
        DemoLoop(
            id: "bass-rubber-root", name: "Rubber Root", track: "bass", slot: 1, bpm: 112.5, beats: 16,
            sampleRate: 48_000, color: "#5b8dd6", finish: Finish(floor: 80, drive: 2.2, peak: -10.4),
            paint: BassLines.rubberRoot),
        DemoLoop(
            id: "bass-night-drive", name: "Night Drive", track: "bass", slot: 2, bpm: 128, beats: 16,
            sampleRate: 48_000, color: "#3f6fc4", finish: Finish(floor: 80, drive: 1.6, peak: -11),
            paint: BassLines.nightDrive),
        DemoLoop(
            id: "bass-deep-blue", name: "Deep Blue", track: "bass", slot: 3, bpm: 90, beats: 16,
            sampleRate: 48_000, color: "#7fa6e0", finish: Finish(floor: 90, drive: 1.6, peak: -10.8),
            paint: BassLines.deepBlue),
    ]

    private static let chords = [
        DemoLoop(
            id: "chords-slow-tide", name: "Slow Tide", track: "chords", slot: 0, bpm: 100, beats: 16,
            sampleRate: 48_000, color: "#bda4e6", finish: Finish(floor: 95, drive: 1.4, peak: -11.5),
            paint: ChordPads.slowTide),
        DemoLoop(
            id: "chords-velvet-keys", name: "Velvet Keys", track: "chords", slot: 1, bpm: 120, beats: 16,
            sampleRate: 48_000, color: "#a07fd8", finish: Finish(floor: 150, drive: 2.0, peak: -11.8),
            paint: ChordStabs.velvetKeys),
        DemoLoop(
            id: "chords-bright-stabs", name: "Bright Stabs", track: "chords", slot: 2, bpm: 125, beats: 16,
            sampleRate: 48_000, color: "#8a5fd0", finish: Finish(floor: 180, drive: 2.4, peak: -11.8),
            paint: ChordStabs.brightStabs),
        DemoLoop(
            id: "chords-glass-haze", name: "Glass Haze", track: "chords", slot: 3, bpm: 96, beats: 16,
            sampleRate: 48_000, color: "#c3b2e2", finish: Finish(floor: 140, drive: 1.5, peak: -11.9),
            paint: ChordPads.glassHaze),
    ]

    private static let lead = [
        DemoLoop(
            id: "lead-bell-drift", name: "Bell Drift", track: "lead", slot: 0, bpm: 108, beats: 12,
            sampleRate: 48_000, color: "#8fd4c0", finish: Finish(floor: 220, drive: 1.3, peak: -11.9),
            paint: Leads.bellDrift),
        DemoLoop(
            id: "lead-amber-pluck", name: "Amber Pluck", track: "lead", slot: 1, bpm: 120, beats: 8,
            sampleRate: 48_000, color: "#4fb89a", finish: Finish(floor: 220, drive: 2.0, peak: -11.9),
            paint: Leads.amberPluck),
        DemoLoop(
            id: "lead-arc-runner", name: "Arc Runner", track: "lead", slot: 2, bpm: 144, beats: 16,
            sampleRate: 48_000, color: "#2f9f80", finish: Finish(floor: 220, drive: 1.4, peak: -11.9),
            paint: Leads.arcRunner),
        DemoLoop(
            id: "lead-paper-lanterns", name: "Paper Lanterns", track: "lead", slot: 3, bpm: 90, beats: 16,
            sampleRate: 48_000, color: "#a5d6b8", finish: Finish(floor: 200, drive: 1.6, peak: -11.9),
            paint: Leads.paperLanterns),
    ]
}
