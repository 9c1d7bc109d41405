import CQREncode

/// A text as a QR code (ISO/IEC 18004), for cameras of telephones.
package struct PictureCode: Hashable, Sendable {
    /// The squares of a side, without the quiet zone of four that belongs around it.
    package let size: Int
    private let squares: [Bool]

    /// Encodes a text; `nil` where it is too long for any code, which begins at about 2,300 bytes.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        squares = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether a square is dark; those outside are not.
    package subscript(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && squares[row * size + column]
    }

    /// A row as text, `1` for a dark square.
    var rows: [String] {
        (0..<size).map { row in String((0..<size).map { self[row, $0] ? "1" : "0" }) }
    }
}
