/// The layers of a clip that can't be gone to, since a file among them can't be read.
package struct MissingLayers: Sendable {
    /// How many of the lowest ones of a list they are, the file that can't be read and why.
    typealias Part = (count: Int, file: String, problem: SessionError)

    var below: Part?
    var undone: Part?

    /// The files that can't be read.
    package var files: [String] { [below?.file, undone?.file].compactMap(\.self) }

    /// Why there is no going from `document` to the layer below, or to the one that was undone last.
    func problem(of action: LayerAction, in document: ClipDocument) -> SessionError? {
        let (part, count) =
            switch action {
            case .undo: (below, document.layers.count)
            case .redo: (undone, document.undoneLayers.count)
            case .change: (nil, 0)
            }
        guard let part, count > 0, count <= part.count else { return nil }
        return part.problem
    }

    /// Whether as many are missing as of another one.
    func isSame(as other: MissingLayers?) -> Bool {
        below?.count == other?.below?.count && undone?.count == other?.undone?.count
    }
}

extension BoundSession {
    /// Why an action can't go to a layer now, if its file is why.
    func missingLayer(of action: ScriptAction) -> SessionError? {
        // What is being recorded over a clip can be called off whatever is below.
        guard case .layer(let action) = action, let binding = clips[action.clip], overdubs[action.clip] == nil else {
            return nil
        }
        return binding.missingLayers.problem(of: action, in: binding.document)
    }
}
