import Foundation

/// Finds the tags that a file has, of whatever kind.
enum TagReader {
    /// A tag of this size is none that a program wrote, cover art included.
    static let largestTag = 64 << 20

    static func read(path: String, wantsPictures: Bool) throws(AudioFileError) -> TagCollector {
        let file = try FileBytes(path: path)
        var found = TagCollector(wantsPictures: wantsPictures)
        let id3 = ID3Tag(file, at: 0)
        id3?.collect(into: &found)
        // Taggers put ID3 before files of other kinds too.
        let start = id3?.end ?? 0
        var other = TagCollector(wantsPictures: wantsPictures)
        if file.has("fLaC", at: start) {
            FLACTags.collect(file, at: start + 4, into: &other)
        } else if file.has("OggS", at: start) {
            OggTags.collect(file, at: start, into: &other)
        } else if file.has("RIFF", at: start) || file.has("RF64", at: start) || file.has("FORM", at: start) {
            ChunkTags.collect(file, at: start, into: &other)
        } else if file.has("ftyp", at: start + 4) || file.bytes(at: start, 4) == [0x1A, 0x45, 0xDF, 0xA3] {
            #if LibAV
                LibAVTags.collect(path: path, into: &other)
            #endif
        } else {
            APETag.collect(file, into: &other)
            var oldest = TagCollector(wantsPictures: false)
            ID3Tag.collectVersion1(file, into: &oldest)
            other.complete(from: oldest)
        }
        found.complete(from: other)
        return found
    }
}
