import CPNG

/// A raster of pixels that can be written as a PNG file.
package struct Raster: Sendable {
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    private var pixels: [SIMD4<UInt8>]

    /// Why a picture was not written.
    package struct WriteError: Error, Hashable, Sendable {
        /// Where it was to be.
        let path: String
        /// What the library says.
        let reason: String
    }

    /// Creates a raster filled with one colour.
    package init(width: Int, height: Int, background: Color) {
        precondition(width > 0 && height > 0, "a raster has pixels")
        self.width = width
        self.height = height
        pixels = Array(repeating: background.components, count: width * height)
    }

    /// Fills a rectangle; what lies outside the raster is left out.
    package mutating func fill(x: Range<Int>, y: Range<Int>, _ color: Color) {
        for row in y.clamped(to: 0..<height) {
            for column in x.clamped(to: 0..<width) { pixels[row * width + column] = color.components }
        }
    }

    /// Writes the raster as a PNG file.
    package func write(to path: String) throws(WriteError) {
        var message = [CChar](repeating: 0, count: 64)
        let isWritten = pixels.withUnsafeBytes { bytes in
            barline_png_write(path, UInt32(width), UInt32(height), bytes.baseAddress, &message)
        }
        if isWritten == 0 {
            throw WriteError(
                path: path, reason: String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
    }
}

extension Raster.WriteError: CustomStringConvertible {
    /// The value in words.
    package var description: String { "\(path): can't be written: \(reason)" }
}
