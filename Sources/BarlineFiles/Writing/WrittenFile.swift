import CSndFile
import Foundation

/// The file that libsndfile writes to. It knows of everything that could not be written: libsndfile does not say of what
/// it writes when a file is closed.
final class WrittenFile {
    private let descriptor: Int32
    /// The first error of the system, as in `errno`; 0 for none.
    private var failure: Int32 = 0

    /// Why something could not be written; `nil` where everything was.
    var problem: String? { failure == 0 ? nil : String(cString: strerror(failure)) }

    /// Makes a file, in the place of what is there.
    ///
    /// - Returns: `nil` where it can't be made; `errno` tells why.
    init?(path: String) {
        descriptor = NewFile.open(path, O_RDWR)
        if descriptor < 0 { return nil }
    }

    deinit {
        // Or errno would be that of the close.
        if descriptor >= 0 { Foundation.close(descriptor) }
    }

    /// Opens it for libsndfile; it must be there for as long as that is.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { WrittenFile.at($0).length },
            seek: { offset, origin, file in
                sf_count_t(lseek(WrittenFile.at(file).descriptor, off_t(offset), origin))
            },
            read: { bytes, count, file in
                sf_count_t(Foundation.read(WrittenFile.at(file).descriptor, bytes, Int(count)))
            },
            write: { bytes, count, file in WrittenFile.at(file).put(bytes, count) },
            tell: { file in sf_count_t(lseek(WrittenFile.at(file).descriptor, 0, SEEK_CUR)) })
        return SndFileOpening.beside {
            sf_open_virtual(&calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    private static func at(_ place: UnsafeMutableRawPointer?) -> WrittenFile {
        guard let place else { preconditionFailure("libsndfile has lost its file") }
        return Unmanaged<WrittenFile>.fromOpaque(place).takeUnretainedValue()
    }

    private var length: sf_count_t {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
    }

    private func put(_ bytes: UnsafeRawPointer?, _ count: sf_count_t) -> sf_count_t {
        var done = 0
        while done < Int(count) {
            let written = Foundation.write(descriptor, bytes?.advanced(by: done), Int(count) - done)
            if written < 0, errno == EINTR { continue }
            if written <= 0 {
                if failure == 0 { failure = written < 0 ? errno : EIO }
                break
            }
            done += written
        }
        return sf_count_t(done)
    }

    /// Replaces bytes of it.
    func replace(at offset: Int, with bytes: [UInt8]) {
        let count = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        if count != bytes.count, failure == 0 { failure = count < 0 ? errno : EIO }
    }

    /// Bytes of it; `nil` where it has none there.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }
}
