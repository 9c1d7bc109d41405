import BarlineEngine

extension BoundSession {
    /// Bytes that leave room in the name of a file for an ending, and for what tells two names apart.
    private static let longestStripName = 200

    /// The session's strips: its tracks, parts, stems, outputs, and the inputs that a device provides.
    var strips: [SessionStrip] {
        var strips: [SessionStrip] = []
        var taken: Set<String> = []
        func add(_ prefix: String, _ name: String? = nil, _ strip: RecordedStrip, isOptional: Bool = false) {
            var safe = prefix + (name.map { "-" + $0 } ?? "")
            safe = String(safe.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
            while safe.utf8.count > BoundSession.longestStripName { safe.removeLast() }
            while !taken.insert(safe).inserted { safe += "_" }
            strips.append(SessionStrip(name: safe, strip: strip, isOptional: isOptional))
        }
        for track in document.tracks {
            if let place = tracks[track.id] { add("track", track.id, .channel(.track(place))) }
        }
        for strip in PartStrip.allCases { add(strip.rawValue, nil, .channel(strip.place.channel), isOptional: true) }
        for stem in document.stems {
            if let place = stems[stem.id] { add("stem", stem.id, .channel(.stem(place))) }
        }
        for name in document.outputs where outputs.contains(name) { add("bus", name, .bus(bus(name))) }
        for input in document.inputs where input.from == nil {
            if let place = inputs[input.name] { add("input", input.name, .input(place)) }
        }
        return strips
    }
}
