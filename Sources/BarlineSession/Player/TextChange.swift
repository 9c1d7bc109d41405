/// What is in one text and not in another: between what both begin and end with, in bytes of UTF-8.
struct TextChange: Hashable {
    var head: Int
    var tail: Int
    var text: String

    init(head: Int, tail: Int, text: String) { (self.head, self.tail, self.text) = (head, tail, text) }

    /// What makes `new` of `old`.
    ///
    /// - Complexity: O(*n*) in both.
    init(from old: String, to new: String) {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        let common = min(old.count, new.count)
        var head = 0
        while head < common, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < common - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        // What is left is a text: no character is divided.
        func isInside(_ index: Int) -> Bool { index < new.count && new[index] & 0xC0 == 0x80 }
        while head > 0, isInside(head) { head -= 1 }
        while tail > 0, isInside(new.count - tail) { tail -= 1 }
        self.init(head: head, tail: tail, text: String(decoding: new[head..<new.count - tail], as: UTF8.self))
    }

    /// The new text.
    func applied(to old: String) -> String {
        let bytes = Array(old.utf8)
        guard head >= 0, tail >= 0, head + tail <= bytes.count else { return text }
        return String(decoding: bytes[..<head] + Array(text.utf8) + bytes[(bytes.count - tail)...], as: UTF8.self)
    }
}
