import Foundation

/// The colours of tracks and stems, each another one.
enum TrackColours {
    /// What is given first; the page offers the same ones.
    static let palette = [
        "#e8825a", "#e0b040", "#8fbf4f", "#4fb89a", "#4fa8cf", "#5b8dd6", "#a07fd8", "#d877a8", "#a3adb8",
    ]
    /// How far into the palette stems begin, so that they are not the colours of the tracks beside them.
    static let stemPlace = 3

    /// The palette's colour for a place, where nothing else is said.
    static func usual(_ place: Int) -> String { palette[place % palette.count] }

    /// Whether a document's colour is one that can be shown.
    static func isUsable(_ colour: String) -> Bool { Lab(colour) != nil }

    /// A colour that differs from all in `taken`: the palette's at `place`, else its first free one, else the one that
    /// is farthest from all. Takes time in proportion to the number of `taken`.
    static func next(after taken: [String], place: Int) -> String {
        let used = taken.compactMap(Lab.init)
        func room(_ colour: String) -> Double {
            guard let lab = Lab(colour) else { return 0 }
            return used.map { lab.distance(to: $0) }.min() ?? .infinity
        }
        if let free = ([usual(place)] + palette).first(where: { room($0) > leastDistance }) { return free }
        var best = (colour: usual(place), room: -1.0)
        for colour in circle {
            let room = room(colour)
            if room > best.room { best = (colour, room) }
        }
        return best.colour
    }

    /// Below this distance in Oklab two colours look the same from afar.
    private static let leastDistance = 0.03

    /// Hues all round at three lightnesses, as vivid as screens can show all of them.
    private static let circle: [String] = [0.62, 0.72, 0.82].flatMap { lightness in
        (0..<72).map { step in
            let angle = 2 * Double.pi * Double(step) / 72
            return Lab(lightness: lightness, a: 0.11 * cos(angle), b: 0.11 * sin(angle)).hex
        }
    }

    /// A colour in Oklab (B. Ottosson, "A perceptual color space for image processing", 2020), in which distances are
    /// those that are seen.
    private struct Lab {
        let lightness: Double
        let a: Double
        let b: Double

        init(lightness: Double, a: Double, b: Double) {
            (self.lightness, self.a, self.b) = (lightness, a, b)
        }

        /// Reads `#rrggbb`.
        init?(_ hex: String) {
            let digits = hex.utf8.dropFirst()
            guard hex.hasPrefix("#"), digits.count == 6, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt32(hex.dropFirst(), radix: 16)
            else { return nil }
            let (red, green, blue) = (Lab.linear(value >> 16), Lab.linear(value >> 8), Lab.linear(value))
            let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
            let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
            let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
            lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
            a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
            b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
        }

        var hex: String {
            let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
            let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
            let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
            let parts = [
                4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
            ]
            let digits = parts.map { part in
                let part = max(0, min(1, part))
                let code = part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
                return String(256 + Int((255 * code).rounded()), radix: 16).dropFirst()
            }
            return "#" + digits.joined()
        }

        func distance(to other: Lab) -> Double {
            let (l, a, b) = (lightness - other.lightness, self.a - other.a, self.b - other.b)
            return (l * l + a * a + b * b).squareRoot()
        }

        private static func linear(_ code: UInt32) -> Double {
            let part = Double(code & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
    }
}

extension SessionDocument {
    /// The colour that a track is shown in: its own, else that of its first clip that has one, else the palette's.
    func colour(ofTrack index: Int) -> String {
        let track = tracks[index]
        return ([track.color] + track.clips.map(\.color)).compactMap { $0 }.first(where: TrackColours.isUsable)
            ?? TrackColours.usual(index)
    }

    /// The colour that a stem is shown in.
    func colour(ofStem index: Int) -> String {
        stems[index].color.flatMap { TrackColours.isUsable($0) ? $0 : nil }
            ?? TrackColours.usual(index + TrackColours.stemPlace)
    }

    /// Gives a track a colour for good: the one it is shown in where it has clips, else one that nothing else has.
    mutating func assignColour(ofTrack index: Int) -> String {
        if let colour = tracks[index].color, TrackColours.isUsable(colour) { return colour }
        var colour = colour(ofTrack: index)
        if tracks[index].clips.isEmpty {
            colour = TrackColours.next(after: colours(besidesTrack: index), place: index)
        }
        tracks[index].color = colour
        return colour
    }

    /// A colour for a stem that is to be added.
    func colourOfNextStem() -> String {
        TrackColours.next(after: colours(besidesTrack: nil), place: stems.count + TrackColours.stemPlace)
    }

    private func colours(besidesTrack index: Int?) -> [String] {
        tracks.indices.filter { $0 != index }.map { colour(ofTrack: $0) } + stems.indices.map { colour(ofStem: $0) }
    }
}
