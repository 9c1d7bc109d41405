import BarlineEngine

/// A change of an effect during playback.
public struct EffectChange: Hashable, Sendable {
    /// The effect's strip.
    public var strip: EffectStrip
    /// The effect's identifier.
    public var effect: String
    /// The setting.
    public var setting: Setting

    /// A setting of an effect.
    public enum Setting: Hashable, Sendable {
        /// Ramps a parameter to a value over a number of quarter notes. The value of a choice is the index of a word.
        case parameter(String, Double, ramp: Double)
        /// Bypasses it, or not.
        case bypass(Bool)
    }

    /// Creates a change.
    public init(_ strip: EffectStrip, _ effect: String, _ setting: Setting) {
        (self.strip, self.effect, self.setting) = (strip, effect, setting)
    }

    /// The name of what is set.
    var name: String {
        switch setting {
        case .parameter(let name, _, _): name
        case .bypass: "bypass"
        }
    }

    /// Whether it is there within 5 ms.
    var isAtOnce: Bool {
        if case .parameter(_, _, let ramp) = setting { return ramp == 0 }
        return true
    }
}

extension EffectChange {
    static let verb = Verb<EffectChange>(
        "effect",
        "Sets a parameter of an effect, over `ramp` beats, or with `bypass` lets the sound pass it by. The strip is "
            + "\(PartStrip.words(PartStrip.allCases)), and the master where none is named.",
        osc: [["track", "effect", "parameter", "value", "ramp"], ["effect", "parameter", "value"]],
        undo: "Change effect",
        forms: EffectKind.allCases.flatMap(\.parameters).map(EffectChange.form) + [bypassForm])

    private static func form(_ parameter: ParameterDescription) -> Form<EffectChange> {
        let name = parameter.name
        return Form(
            when: ["parameter": .string(name)], .effectStrip, .id("effect"),
            .required("value", .parameter(parameter)), .standard("ramp", .ramp, 0),
            make: { strip, id, value, ramp in EffectChange(strip, id, .parameter(name, value, ramp: ramp)) },
            match: { change in
                guard case .parameter(name, let value, let ramp) = change.setting else { return nil }
                return (change.strip, change.effect, value, ramp)
            })
    }

    private static let bypassForm = Form<EffectChange>(
        when: ["parameter": "bypass"], .effectStrip, .id("effect"), .required("value", ValueType<Bool>.flag),
        make: { strip, id, isOn in EffectChange(strip, id, .bypass(isOn)) },
        match: { change in
            guard case .bypass(let isOn) = change.setting else { return nil }
            return (change.strip, change.effect, isOn)
        })
}

extension VerbArgument where Value == EffectStrip {
    /// A track, a stem or the strip of a part; the master where none is named.
    static var effectStrip: VerbArgument {
        let group = ["track", "stem", "strip"]
        let words = PartStrip.allCases.map(\.rawValue).sorted()
        var strip = ValueFacts(.text, expected: words.map { "\"\($0)\"" }.joined(separator: " or "))
        strip.words = words
        let types = [ValueType<String>.words.facts, ValueType<String>.words.facts, strip]
        return VerbArgument(
            facts: zip(group, types).map { key, type in
                var facts = ArgumentFacts(key: key, value: type)
                facts.group = group
                return facts
            },
            read: { [strip] reader throws(SessionError) in
                if let id = try reader.string("track") { return .track(id) }
                if let id = try reader.string("stem") { return .stem(id) }
                guard let word = try reader.string("strip") else { return .master }
                guard let part = PartStrip(rawValue: word) else {
                    throw reader.error("strip", expected: strip.expected)
                }
                return .part(part)
            },
            write: { strip, values in
                switch strip {
                case .master: break
                case .part(let part): values["strip"] = .string(part.rawValue)
                case .track(let id): values["track"] = .string(id)
                case .stem(let id): values["stem"] = .string(id)
                }
            })
    }
}
