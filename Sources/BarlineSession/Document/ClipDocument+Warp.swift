import BarlineEngine

extension DocumentKey<ClipDocument> {
    /// The warp markers, each with the keys that this version does not know.
    static var warp: DocumentKey {
        let markers = DocumentKey.optional(
            "warp", \.warp, .markers,
            "which frames of the source are on which beats: [Beats as they were played](#beats-as-they-were-played)",
            as: .missing)
        return DocumentKey(
            facts: markers.facts,
            read: { reader, clip throws(SessionError) in
                try markers.read(&reader, &clip)
                guard clip.warp != nil, case .array(let values)? = reader.value("warp") else { return }
                clip.warpRest = Dictionary(
                    zip(clip.warp ?? [], values).compactMap { marker, value in
                        guard case .object(let keys) = value, keys.count > 2 else { return nil }
                        return (marker.frame, keys.filter { $0.key != "frame" && $0.key != "beat" })
                    }, uniquingKeysWith: { $1 })
            },
            write: { clip, values in
                markers.write(clip, &values)
                guard !clip.warpRest.isEmpty, case .array(let written)? = values["warp"] else { return }
                values["warp"] = .array(
                    zip(clip.warp ?? [], written).map { marker, value in
                        guard case .object(let keys) = value, let rest = clip.warpRest[marker.frame] else {
                            return value
                        }
                        return .object(rest.merging(keys) { $1 })
                    })
            },
            take: { clip, other in
                clip.warp = other.warp
                clip.warpRest = other.warpRest
            })
    }
}
