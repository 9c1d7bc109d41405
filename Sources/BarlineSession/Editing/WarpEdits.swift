import BarlineEngine
import BarlineTime
import Foundation

/// The edits of how a clip's beats are laid on its sound.
enum WarpEdits {
    static let verbs: [Verb<DocumentEdit>] = [follow, quantize, set, remove].map(\.scripted)

    private static let amount = VerbArgument<Double>.standard("amount", .percent, 100, "how far they are moved")

    private static let follow = Verb(
        "followBeats",
        "Puts a warp marker on every beat that is heard in a clip, on the attack there, so that what was played freely is in time: "
            + "with `amount` below 100 it stays so much nearer to how it was played. A loop becomes whole beats long.",
        kind: .edit, osc: [["clip", "amount"]], .id("clip"), amount
    ) { id, amount in
        edit(id, "Follow beats", listens: true) { clip, sound, context throws(SessionError) in
            guard let markers = sound.following(amount: amount / 100) else {
                throw context.error("clip", expected: "a clip in which beats are heard", found: "\"\(id)\"")
            }
            return markers
        }
    }

    private static let quantize = Verb(
        "quantizeClip",
        "Moves the attacks of a clip towards the nearest places of a grid by warp markers; with `swing` above 50 every second place is "
            + "later, at so many per cent of a pair.",
        kind: .edit, osc: [["clip", "grid", "amount", "swing"]], .id("clip"), .standard("grid", .noteGrid, .sixteenth),
        amount, .standard("swing", .swing, 50)
    ) { id, grid, amount, swing in
        edit(id, "Quantize clip", listens: true) { clip, sound, context throws(SessionError) in
            guard
                let markers = sound.quantized(to: grid.quarters(in: .common), amount: amount / 100, swing: swing / 100)
            else { throw context.error("clip", expected: "a clip whose tempo is known", found: "\"\(id)\"") }
            return markers
        }
    }

    private static let set = Verb(
        "setWarpMarker",
        "Holds a frame of a clip's source to a beat of the clip; without `beat` to the one that it is on. A marker on that frame or that "
            + "beat gives way.",
        kind: .edit, osc: [["clip", "frame", "beat"]], .id("clip"), .required("frame", .frame()),
        .optional("beat", .clipBeat)
    ) { id, frame, beat in
        edit(id, "Move warp marker") { clip, sound, context throws(SessionError) in
            guard let line = sound.line else {
                throw context.error("clip", expected: "a clip whose tempo is known", found: "\"\(id)\"")
            }
            let marker = WarpMarker(frame: frame, beat: beat ?? line.beat(at: Double(frame)))
            var markers = (clip.warp ?? line.markers).filter { $0.frame != frame && $0.beat != marker.beat }
            markers.append(marker)
            markers.sort { $0.frame < $1.frame }
            for (one, next) in zip(markers, markers.dropFirst()) where one.beat >= next.beat {
                throw context.error(
                    "beat", expected: "a beat between those of the markers beside it", found: "\(marker.beat)")
            }
            return markers
        }
    }

    private static let remove = Verb(
        "removeWarpMarker",
        "Takes the marker on a frame, or of a beat, away. With the last but two all go, and the beats are equally long again, as without "
            + "both.",
        kind: .edit, osc: [["clip", "frame"]], .id("clip"), .optional("frame", .frame()), .optional("beat", .clipBeat)
    ) { id, frame, beat in
        edit(id, "Remove warp marker") { clip, sound, context throws(SessionError) in
            if frame == nil, beat == nil { return nil }
            let isMeant = { (marker: WarpMarker) in
                marker.frame == frame ?? marker.frame && marker.beat == beat ?? marker.beat
            }
            guard let markers = clip.warp, markers.contains(where: isMeant) else {
                throw context.error(
                    frame == nil ? "beat" : "frame", expected: "that of a warp marker",
                    found: frame.map(String.init) ?? "\(beat ?? 0)")
            }
            let left = markers.filter { !isMeant($0) }
            return left.count < 2 ? nil : left
        }
    }

    private static func edit(
        _ id: String, _ label: String, listens: Bool = false,
        _ make: @escaping @Sendable (ClipDocument, WarpSound, EditContext) throws(SessionError) -> [WarpMarker]?
    ) -> DocumentEdit {
        DocumentEdit(label, asksForRhythmOf: listens ? id : nil) { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            var clip = document.tracks[place.track].clips[place.clip]
            guard let binding = context.clips[id], let audio = binding.audio else {
                throw context.error("clip", expected: "a clip that could be loaded", found: "\"\(id)\"")
            }
            let sound = WarpSound(clip, binding, frames: audio.samples.frameCount, context.rhythm)
            clip.warp = try make(clip, sound, context)
            // From here on the markers say how long it is; without them, what they said.
            clip.beats = clip.warp == nil ? sound.beats : nil
            clip.bpm = nil
            try clip.check(audio.samples.frameCount, key: "clip", context)
            document.tracks[place.track].clips[place.clip] = clip
            return ["clip": .string(id), "markers": .number(Double(clip.warp?.count ?? 0))]
        }
    }
}

extension WarpSound {
    /// How many beats long it is by its line; `nil` where its tempo is not known.
    fileprivate var beats: Double? {
        line.map { $0.beat(at: Double(region.upperBound)) - $0.beat(at: Double(region.lowerBound)) }
    }
}

extension ClipDocument {
    /// Keeps the length in beats that the markers of `former` have said, where they are gone and nothing else says one.
    mutating func keepBeats(of former: ClipDocument, _ context: EditContext) {
        guard warp == nil, former.warp != nil, beats == nil, bpm == nil, let binding = context.clips[id],
            let audio = binding.audio
        else { return }
        beats = WarpSound(former, binding, frames: audio.samples.frameCount, context.rhythm).beats
    }

    /// Refuses markers with which it could not be played.
    func check(_ frames: Int, key: String, _ context: EditContext) throws(SessionError) {
        do throws(WarpedRegion.Problem) {
            _ = try warped(start..<(end ?? frames))
        } catch {
            throw context.error(key, expected: error.expected, found: error.found)
        }
    }
}

extension Quantization {
    fileprivate static let sixteenth = Quantization.note(numerator: 1, denominator: 4)
}

extension ValueType where Value == Quantization {
    /// The length of a note.
    fileprivate static var noteGrid: ValueType {
        let notes = Quantization.named.filter { if case .note = $0 { true } else { false } }
        var type = named(
            "a note from \"1/32\" to \"1/2\" (t, .)", examples: ["1/16"],
            { text in notes.first { $0.description == text } }, \.description)
        type.facts.words = notes.map(\.description)
        return type
    }
}

extension ValueType where Value == Double {
    /// A share.
    fileprivate static var percent: ValueType {
        number("a number from 0 to 100", 0...100, unit: "%").controlled(over: 0...100)
    }
}
