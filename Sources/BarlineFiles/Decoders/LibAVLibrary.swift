#if LibAV
    import CLibAV

    /// libavformat and what it needs, which are opened when the first file is read through them.
    enum LibAVLibrary {
        /// The libraries' functions.
        ///
        /// - Parameter path: the file that they are needed for.
        /// - Returns: the table of them.
        /// - Throws: ``AudioFileError/cannotOpen(path:reason:)`` where the libraries are not there.
        static func functions(for path: String) throws(AudioFileError) -> barline_av {
            guard let functions = barline_av_open() else {
                let problem = String(cString: barline_av_problem())
                throw .cannotOpen(path: path, reason: "it is read through libav, which can't be opened: \(problem)")
            }
            return functions.pointee
        }
    }
#endif
