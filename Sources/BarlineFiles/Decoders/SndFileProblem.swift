import CSndFile

/// The text of a problem that libsndfile reports, without the full stop that some of its sentences have: it is put into
/// a sentence of ours.
enum SndFileProblem {
    /// The last problem of `file`; of opening one, where it is `nil`.
    static func reason(_ file: OpaquePointer? = nil) -> String {
        let text = String(cString: sf_strerror(file))
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
