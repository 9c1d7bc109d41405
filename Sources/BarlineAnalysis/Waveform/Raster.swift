import CPNG

/// A colour with opacity.
public struct Color: Hashable, Sendable {
    /// Red, green, blue and opacity, 0 … 255 each.
    public let components: SIMD4<UInt8>

    /// Creates a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        components = SIMD4(red, green, blue, opacity)
    }

    /// Reads `"#d97706"`; `nil` where the text is anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        else {
            return nil
        }
        self.init(
            red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
}

/// A raster of pixels that can be written as a PNG file.
public struct Raster: Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    private var pixels: [SIMD4<UInt8>]

    /// Why a picture was not written.
    public struct WriteError: Error, Hashable, Sendable {
        /// Where it was to be.
        public let path: String
        /// What the library says.
        public let reason: String
    }

    /// Creates a raster filled with one colour.
    public init(width: Int, height: Int, background: Color) {
        precondition(width > 0 && height > 0, "a raster has pixels")
        self.width = width
        self.height = height
        pixels = Array(repeating: background.components, count: width * height)
    }

    /// Fills a rectangle; what lies outside the raster is left out.
    public mutating func fill(x: Range<Int>, y: Range<Int>, _ color: Color) {
        for row in y.clamped(to: 0..<height) {
            for column in x.clamped(to: 0..<width) { pixels[row * width + column] = color.components }
        }
    }

    /// Writes the raster as a PNG file.
    public func write(to path: String) throws(WriteError) {
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
    public var description: String { "\(path): can't be written: \(reason)" }
}

extension Raster {
    /// Draws a waveform into a rectangle: peaks in a lighter shade behind the RMS.
    public mutating func draw(_ waveform: Waveform, x: Range<Int>, y: Range<Int>, peaks: Color, rms: Color) {
        let middle = Double(y.lowerBound) + Double(y.count) / 2
        let half = Double(y.count) / 2
        func row(_ level: Float) -> Int { Int((middle - Double(level) * half).rounded()) }
        let count = waveform.points.count
        for (index, point) in waveform.points.enumerated() {
            let first = x.lowerBound + index * x.count / count
            let end = max(first + 1, x.lowerBound + (index + 1) * x.count / count)
            let top = row(min(1, point.max))
            fill(x: first..<end, y: top..<max(top + 1, row(max(-1, point.min))), peaks)
            let upper = row(min(1, point.rms))
            fill(x: first..<end, y: upper..<max(upper + 1, row(-min(1, point.rms))), rms)
        }
    }
}
