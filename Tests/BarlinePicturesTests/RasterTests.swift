import BarlineAnalysis
import BarlineDSP
import BarlinePictures
import BarlineTestSupport
import Foundation
import Testing

/// Pictures, read back by a decoder of the test's own.
@Suite("Pictures")
struct RasterTests {
    private static let black = Color(red: 0, green: 0, blue: 0)
    private static let red = Color(red: 255, green: 1, blue: 2)
    private static let blue = Color(red: 3, green: 4, blue: 250, opacity: 128)

    private func written(_ raster: Raster) throws -> PNGPicture {
        let folder = try TemporaryFolder()
        try raster.write(to: folder.path("a.png"))
        return try PNGPicture(try folder.bytes("a.png"))
    }

    @Test("A picture has its size and every pixel its colour", arguments: [(1, 1), (3, 2), (300, 128), (1000, 7)])
    func pixels(width: Int, height: Int) throws {
        var raster = Raster(width: width, height: height, background: RasterTests.black)
        raster.fill(x: 1..<width, y: 0..<1, RasterTests.red)
        raster.fill(x: 0..<1, y: height - 1..<height, RasterTests.blue)
        let picture = try written(raster)
        #expect(picture.width == width && picture.height == height)
        for row in 0..<height {
            for column in 0..<width {
                let isBlue = column == 0 && row == height - 1
                let isRed = row == 0 && column > 0
                let color = isBlue ? RasterTests.blue : isRed ? RasterTests.red : RasterTests.black
                guard picture[column, row] == color.components else {
                    Issue.record("\(column), \(row): \(picture[column, row])")
                    return
                }
            }
        }
    }

    @Test("What lies outside is left out")
    func clipping() throws {
        var raster = Raster(width: 4, height: 4, background: RasterTests.black)
        raster.fill(x: -5..<100, y: 2..<3, RasterTests.red)
        raster.fill(x: 10..<12, y: -3..<9, RasterTests.blue)
        let picture = try written(raster)
        for column in 0..<4 {
            #expect(picture[column, 1] == RasterTests.black.components)
            #expect(picture[column, 2] == RasterTests.red.components)
        }
    }

    @Test("A waveform is drawn with its peaks behind its RMS")
    func waveform() throws {
        let samples = (0..<100).map { Float($0 < 50 ? ($0 % 10 == 0 ? 1 : 0.1) : 0) }
        let waveform = Waveform(of: SampleBuffer(left: samples, sampleRate: .standard), count: 10)
        var raster = Raster(width: 10, height: 100, background: RasterTests.black)
        raster.draw(waveform, x: 0..<10, y: 0..<100, peaks: RasterTests.blue, rms: RasterTests.red)
        let picture = try written(raster)
        #expect(picture[0, 1] == RasterTests.blue.components)
        #expect(picture[0, 49] == RasterTests.red.components)
        #expect(picture[0, 80] == RasterTests.black.components, "nothing is below zero but the RMS")
        #expect(picture[9, 10] == RasterTests.black.components)
        #expect(picture[9, 90] == RasterTests.black.components)
    }

    @Test("A picture that can't be written is an error that names it in words")
    func failure() throws {
        let path = try TemporaryFolder().path("nowhere/a.png")
        let raster = Raster(width: 1, height: 1, background: RasterTests.black)
        let error = try #require(throws: Raster.WriteError.self) { try raster.write(to: path) }
        #expect("\(error)".hasPrefix("\(path): "), "\(error)")
    }

    @Test(
        "What a full disk has is as it was where a picture has no room, and a device stays one",
        .enabled(if: SmallDisk.canBeMade))
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.folder("disk"), bytes: 64 << 10)
        let path = folder.path("disk/a.png")
        let small = Raster(width: 2, height: 3, background: RasterTests.red)
        try small.write(to: path)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try disk.fill()
        #expect(throws: Raster.WriteError.self) { try small.write(to: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("disk")).filter { $0.contains(".part") }
                == [])
        // The device that is always full.
        let device = folder.path("full")
        #expect(mknod(device, S_IFCHR | 0o600, 0x107) == 0)
        let error = try #require(throws: Raster.WriteError.self) { try small.write(to: device) }
        #expect("\(error)".contains("No space left"))
        var status = stat()
        #expect(stat(device, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("A picture whose name is a link is where that leads to, and the link stays")
    func link() throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.path("a.png"), folder.path("b.png"))
        try Raster(width: 1, height: 1, background: RasterTests.black).write(to: file)
        let raster = Raster(width: 2, height: 3, background: RasterTests.red)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for _ in 1...2 {
            try raster.write(to: link)
            let picture = try PNGPicture(try folder.bytes("a.png"))
            #expect(picture[1, 2] == RasterTests.red.components)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        }
    }

    @Test("Colours are read as the web writes them")
    func colors() {
        #expect(Color("#d97706")?.components == SIMD4(0xD9, 0x77, 0x06, 255))
        for text in ["", "d97706", "#d9770", "#d977066", "#g97706", "#+12345", "red"] { #expect(Color(text) == nil) }
    }
}
