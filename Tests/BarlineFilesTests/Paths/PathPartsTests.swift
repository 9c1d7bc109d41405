import BarlineTestSupport
import Testing

@testable import BarlineFiles

/// Names, folders and endings of paths, whatever is in them.
@Suite("Parts of paths")
struct PathPartsTests {
    @Test(
        "Names, folders and endings",
        arguments: [
            ("", "", "", "", ""), ("a", "a", "", "", "a"), ("a.wav", "a.wav", "", "wav", "a"),
            ("/", "/", "/", "", "/"), ("//", "/", "/", "", "/"), ("/a", "a", "/", "", "/a"),
            ("a/b.c.d", "b.c.d", "a", "d", "a/b.c"), ("/a/b/", "b", "/a", "", "/a/b"), ("a//b", "b", "a", "", "a//b"),
            ("/x.y/.hidden", ".hidden", "/x.y", "", "/x.y/.hidden"), ("a/b.", "b.", "a", "", "a/b."),
            ("x.y/b", "b", "x.y", "", "x.y/b"), ("http://é", "é", "http:", "", "http://é"),
            ("//日.é", "日.é", "/", "é", "//日"), ("a//é/", "é", "a", "", "a//é"),
        ])
    func table(path: String, name: String, folder: String, ending: String, stem: String) {
        #expect(path.lastPathName == name && path.folderPath == folder)
        #expect(path.pathEnding == ending && path.withoutPathEnding == stem)
    }

    @Test("Of random paths, the parts are those between slashes", arguments: UInt64(1)...4)
    func model(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let pieces = ["/", "/", ".", "a", "é", "日", "e\u{301}", "🥁", " ", "\u{0}"]
        for _ in 0..<2_000 {
            let path = (0..<random.int(0...9)).map { _ in pieces[random.int(0...pieces.count - 1)] }.joined()
            let names = path.unicodeScalars.split(separator: "/").map { String(String.UnicodeScalarView($0)) }
            #expect(path.lastPathName == names.last ?? (path.isEmpty ? "" : "/"), "\(path)")
            let folder = path.folderPath.unicodeScalars.split(separator: "/").map {
                String(String.UnicodeScalarView($0))
            }
            #expect(folder == names.dropLast(), "\(path)")
            let ending = path.pathEnding
            let whole = path.withoutPathEnding + (ending.isEmpty ? "" : "." + ending)
            let end = String(path.unicodeScalars.reversed().drop { $0 == "/" }.reversed().map(Character.init))
            #expect(whole == (end.isEmpty ? (path.isEmpty ? "" : "/") : end), "\(path)")
        }
    }
}
