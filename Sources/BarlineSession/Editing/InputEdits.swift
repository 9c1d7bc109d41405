/// The edits of inputs.
enum InputEdits {
    static let verbs: [Verb<DocumentEdit>] = [add, edit, remove]

    private static let add = Verb(
        "addInput", "Adds an input, of the device's first two channels unless `set` says otherwise.", kind: .edit,
        .optional("name", .words), .set(.input, isRequired: false)
    ) { name, changes in
        DocumentEdit("Add input") { document, context throws(SessionError) in
            var input = InputDocument(name: name ?? document.freeInputName)
            input = try InputDocument(context.merged(input.json, changes, key: "set"))
            document.inputs.append(input)
            try document.checkInputs(file: context.source)
            return ["input": .string(input.name)]
        }
    }

    private static let edit = Verb(
        "editInput", "Sets any keys of an input. Tracks follow another name.", kind: .edit, .id("input"), .set(.input)
    ) { name, changes in
        DocumentEdit("Edit input", mergeKey: "input \(name) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let place = try document.place(ofInput: name, context)
            let edited = try InputDocument(context.merged(document.inputs[place].json, changes, key: "set"))
            document.inputs[place] = edited
            try document.checkInputs(file: context.source)
            for track in document.tracks.indices where document.tracks[track].input == name {
                document.tracks[track].input = edited.name
            }
            return [:]
        }
    }

    private static let remove = Verb(
        "removeInput", "Takes an input out; tracks that had it have none. One that is recorded is refused.",
        kind: .edit,
        .id("input")
    ) { name in
        DocumentEdit("Remove input") { document, context throws(SessionError) in
            let place = try document.place(ofInput: name, context)
            try context.requireUnrecorded("input", name, in: context.recorded.inputs)
            document.inputs.remove(at: place)
            for track in document.tracks.indices where document.tracks[track].input == name {
                document.tracks[track].input = nil
            }
            return [:]
        }
    }
}

extension SessionDocument {
    fileprivate func place(ofInput name: String, _ context: EditContext) throws(SessionError) -> Int {
        guard let place = inputs.firstIndex(where: { $0.name == name }) else { throw context.unknown("input", name) }
        return place
    }

    /// A name that no input has yet.
    fileprivate var freeInputName: String {
        let taken = Set(inputs.map(\.name))
        var number = inputs.count + 1
        while taken.contains("Input \(number)") { number += 1 }
        return "Input \(number)"
    }
}
