/// The endings of the names of files that a decoder may know.
package enum AudioEndings {
    /// They, in lowercase.
    package static let all: Set<String> = [
        "wav", "aif", "aiff", "flac", "ogg", "oga", "opus", "mp3", "m4a", "mp4", "aac", "caf", "w64", "rf64", "wv",
        "mka", "webm",
    ]
}
