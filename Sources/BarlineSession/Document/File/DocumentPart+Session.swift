extension DocumentPart {
    package static let session = DocumentPart("session", .whole, example: ["tempo": 126], of: SessionDocument.self)
    static let master = DocumentPart("master", .value, example: ["limiter": true]) {
        SessionDocument.masterKeys.map(\.facts)
    }
}
