import CPNG
import Foundation

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

    /// Writes the raster as a PNG file, which appears whole. Where its name is a link to a file, that file is
    /// replaced. What is no file but a device or a named pipe is written to directly.
    package func write(to path: String) throws(WriteError) {
        let bytes: [UInt8]
        do throws(Refusal) { bytes = try encoded() } catch { throw WriteError(path: path, reason: error.reason) }
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        let isSpecial = kind != S_IFREG && kind != S_IFDIR
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let place = isSpecial ? path : target + ".part\(getpid())"
        // A link that somebody has put there is removed, and not written to.
        if !isSpecial { unlink(place) }
        let descriptor = open(
            place, O_WRONLY | O_CLOEXEC | (isSpecial ? 0 : O_CREAT | O_EXCL | O_NOFOLLOW), 0o644)
        guard descriptor >= 0 else { throw WriteError(path: path, reason: String(cString: strerror(errno))) }
        let isWritten = Raster.put(bytes, descriptor)
        let failure = errno
        close(descriptor)
        if isSpecial, isWritten { return }
        if isWritten, rename(place, target) == 0 { return }
        let reason = String(cString: strerror(isWritten ? errno : failure))
        if !isSpecial { unlink(place) }
        throw WriteError(path: path, reason: reason)
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            done += count
        }
        return true
    }

    private struct Refusal: Error {
        let reason: String
    }

    /// The bytes of a PNG file.
    private func encoded() throws(Refusal) -> [UInt8] {
        var bytes: [UInt8] = []
        // The first time tells how many there are.
        for _ in 0..<2 {
            var message = [CChar](repeating: 0, count: 64)
            var count = bytes.count
            let isDone = pixels.withUnsafeBytes { pixels in
                bytes.withUnsafeMutableBytes { bytes in
                    barline_png_encode(
                        bytes.isEmpty ? nil : bytes.baseAddress, &count, UInt32(width), UInt32(height),
                        pixels.baseAddress, &message)
                }
            }
            if isDone == 0 {
                throw Refusal(reason: String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
            }
            if bytes.isEmpty {
                bytes = [UInt8](repeating: 0, count: count)
            } else {
                bytes.removeLast(bytes.count - count)
            }
        }
        return bytes
    }
}

extension Raster.WriteError: CustomStringConvertible {
    /// The value in words.
    package var description: String { "\(path): can't be written: \(reason)" }
}
