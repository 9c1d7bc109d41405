import BarlineEngine
import Foundation

/// The line of beats over the frames of a source, as markers state it: straight between two of them, and beyond the
/// first and the last one as between the nearest two.
struct WarpLine: Hashable, Sendable {
    /// Two at least, which rise in both.
    let markers: [WarpMarker]

    /// The beat at `frame`.
    func beat(at frame: Double) -> Double {
        let (low, high) = ends { Double($0.frame) > frame }
        return low.beat + (frame - Double(low.frame)) * (high.beat - low.beat) / Double(high.frame - low.frame)
    }

    /// The frame at `beat`.
    func frame(at beat: Double) -> Double {
        let (low, high) = ends { $0.beat > beat }
        return Double(low.frame) + (beat - low.beat) * Double(high.frame - low.frame) / (high.beat - low.beat)
    }

    private func ends(_ isAfter: (WarpMarker) -> Bool) -> (WarpMarker, WarpMarker) {
        var low = 1
        var high = markers.count - 1
        while low < high {
            let middle = (low + high) / 2
            if isAfter(markers[middle]) { high = middle } else { low = middle + 1 }
        }
        return (markers[low - 1], markers[low])
    }
}

/// A clip's region with its markers, as it is played: the region's ends are markers too.
struct WarpedRegion: Hashable, Sendable {
    let line: WarpLine
    /// The region's length in quarter notes.
    let beats: Double

    /// A problem of a clip's markers.
    struct Problem: Error {
        let expected: String
        let found: String
    }

    /// The region of a clip with two markers or more. Markers say how long it is, but that a loop of which the clip
    /// says how many `beats` it has is as long as that.
    init(_ clip: ClipDocument, markers: [WarpMarker], region: Range<Int>) throws(Problem) {
        let original = WarpLine(markers: markers)
        let first = original.beat(at: Double(region.lowerBound))
        var last = original.beat(at: Double(region.upperBound))
        if clip.loop, let beats = clip.beats { last = first + beats }
        let inner = markers.filter { region.lowerBound < $0.frame && $0.frame < region.upperBound }
        if let stray = inner.last(where: { $0.beat >= last }) {
            throw Problem(expected: "markers within the clip's \(last - first) beats", found: "beat \(stray.beat)")
        }
        beats = last - first
        guard ClipSettings.beatsRange.contains(beats) else {
            throw Problem(expected: "what makes the clip from 0.000001 to 1000000 beats long", found: "\(beats) beats")
        }
        line = WarpLine(
            markers: [WarpMarker(frame: region.lowerBound, beat: first)] + inner
                + [WarpMarker(frame: region.upperBound, beat: last)])
    }

    /// The markers within the region, with beats from its start.
    var inner: [WarpMarker] {
        line.markers.dropFirst().dropLast().map { WarpMarker(frame: $0.frame, beat: offset(ofBeat: $0.beat)) }
    }

    /// The quarter notes from the region's start to `frame`.
    func offset(ofFrame frame: Double) -> Double { offset(ofBeat: line.beat(at: frame)) }

    /// The quarter notes from the region's start to beat 0, round the loop.
    var offsetOfBeatZero: Double {
        let offset = offset(ofBeat: 0)
        let within = offset - (offset / beats).rounded(.down) * beats
        return min(within, beats - within) < 1e-9 ? 0 : within
    }

    /// The frame so many quarter notes after the region's start.
    func frame(atOffset offset: Double) -> Int { Int(line.frame(at: offset + line.markers[0].beat).rounded()) }

    private func offset(ofBeat beat: Double) -> Double { beat - line.markers[0].beat }
}

extension ClipDocument {
    /// The region with its markers; `nil` where it has none, or does not follow the tempo.
    func warped(_ region: Range<Int>) throws(WarpedRegion.Problem) -> WarpedRegion? {
        guard playback != .original, let warp else { return nil }
        return try WarpedRegion(self, markers: warp, region: region)
    }
}

extension ValueType where Value == [WarpMarker] {
    /// Frames of a source with their beats.
    static var markers: ValueType {
        let limit = 10_000
        var facts = ValueFacts(
            .list,
            expected: "a list of 2 to \(limit) markers like {\"frame\": 24000, \"beat\": 1}, frames and beats rising")
        facts.examples = [[["frame": 0, "beat": 0], ["frame": 24_000, "beat": 1]]]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .array(let values)? = reader.value(key), (2...limit).contains(values.count) else {
                    throw reader.error(key, expected: facts.expected)
                }
                var markers: [WarpMarker] = []
                for (index, value) in values.enumerated() {
                    guard case .object(let object) = value, let frame = object["frame"]?.numeric,
                        let beat = object["beat"]?.numeric, frame == frame.rounded(),
                        (0...Double(NumberBounds.frame)).contains(frame), abs(beat) <= NumberBounds.beats,
                        Int(frame) > markers.last?.frame ?? -1, beat > markers.last?.beat ?? -.infinity
                    else {
                        let before = markers.last.map { ", past frame \($0.frame) and beat \($0.beat)" } ?? ""
                        throw reader.error(
                            key, at: index, expected: "a marker like {\"frame\": 24000, \"beat\": 1}\(before)")
                    }
                    markers.append(WarpMarker(frame: Int(frame), beat: beat))
                }
                return markers
            },
            write: { markers in
                .array(markers.map { ["frame": .number(Double($0.frame)), "beat": .number($0.beat)] })
            })
    }
}

extension JSONValue {
    /// A number, whole or not.
    fileprivate var numeric: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
