/// A part of the document whose keys an edit can set.
package enum DocumentPart: String, Hashable, Sendable, CaseIterable {
    case session, master, track, clip, scene, stem, stemSet, marker, playlistItem, playlistSettings, metronome, midi,
        effect, pad, padSet, songLoop, input, layer

    /// What is known of a part, at one place for each.
    private struct Declaration {
        let place: Place
        /// Keys that can be set.
        let example: JSONValue
    }

    /// Where a part is in the document.
    package enum Place: Sendable {
        /// It is one of a list, and called by its own name.
        case element
        /// It is one of the list with another name.
        case elementOf(String)
        /// It is the value of the key of its name.
        case value
        /// It is the whole.
        case whole
    }

    private var declaration: Declaration {
        switch self {
        case .session: Declaration(place: .whole, example: ["tempo": 126])
        case .master: Declaration(place: .value, example: ["limiter": true])
        case .track: Declaration(place: .element, example: ["name": "Amen"])
        case .clip: Declaration(place: .element, example: ["name": "Amen"])
        case .scene: Declaration(place: .element, example: ["name": "Amen"])
        case .stem: Declaration(place: .element, example: ["name": "Amen"])
        case .stemSet: Declaration(place: .value, example: ["bpm": 97])
        case .marker: Declaration(place: .element, example: ["position": 41.5])
        case .playlistItem: Declaration(place: .elementOf("playlist"), example: ["title": "Amen"])
        case .playlistSettings: Declaration(place: .value, example: ["crossfade": 2])
        case .metronome: Declaration(place: .value, example: ["countIn": 1])
        case .midi: Declaration(place: .value, example: ["grid": "launchpad"])
        case .effect: Declaration(place: .element, example: ["bypass": true])
        case .pad: Declaration(place: .element, example: ["name": "Amen"])
        case .padSet: Declaration(place: .value, example: ["mute": true])
        case .input: Declaration(place: .element, example: ["gain": -6])
        case .layer: Declaration(place: .element, example: ["beats": 4])
        case .songLoop: Declaration(place: .value, example: ["bar": 5, "bars": 4])
        }
    }

    /// Where it is.
    package var place: Place { declaration.place }

    /// What its keys are called.
    var words: String {
        switch place {
        case .whole: "keys of the \(rawValue)"
        case .element: "keys of \("aeiou".contains(rawValue.first ?? "-") ? "an" : "a") \(rawValue)"
        case .elementOf(let list): "keys of an item of the \(list)"
        case .value: "keys of `\(rawValue)`"
        }
    }

    /// Keys that can be set.
    var example: JSONValue { declaration.example }
}
