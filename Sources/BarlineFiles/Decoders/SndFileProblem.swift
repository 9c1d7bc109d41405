import CSndFile

/// The text of a problem that libsndfile reports, without the full stop that some of its sentences have: it is put into
/// a sentence of ours.
enum SndFileProblem {
    /// The last problem of `file`; of opening one, where it is `nil`.
    static func reason(_ file: OpaquePointer? = nil) -> String {
        var text = String(cString: sf_strerror(file))
        // Why one could not be opened is kept once for all threads: one that has just opened another has taken it away.
        if file == nil, text == none { text = String(cString: sf_error_number(Int32(SF_ERR_UNRECOGNISED_FORMAT))) }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private static let none = String(cString: sf_error_number(Int32(SF_ERR_NO_ERROR)))
}
