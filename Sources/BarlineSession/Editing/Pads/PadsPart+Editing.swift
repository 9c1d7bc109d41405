extension PadsPart: EditedPart {
    static let edits: [Verb<DocumentEdit>] = PadEdits.verbs
    static let imports: [Form<DocumentEdit>] = [PadEdits.files]
}
