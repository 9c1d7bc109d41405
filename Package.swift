// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Debian's portaudio-2.0.pc carries -pthread, which the package manager refuses with a warning; its headers and
// library are on the default search paths there.
#if os(Linux)
    let portAudioPkgConfig: String? = nil
#else
    let portAudioPkgConfig: String? = "portaudio-2.0"
#endif

// libav is opened when it is needed, and so is not linked: on Linux its headers are looked for where the compiler
// looks.
#if os(Linux)
    let libAVPkgConfig: String? = nil
#else
    let libAVPkgConfig: String? = "libavformat"
#endif

let package = Package(
    name: "barline",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Barline", targets: ["Barline"]),
        .library(name: "BarlineTime", targets: ["BarlineTime"]),
        .library(name: "BarlineDSP", targets: ["BarlineDSP"]),
        .library(name: "BarlineEngine", targets: ["BarlineEngine"]),
        .library(name: "BarlineFiles", targets: ["BarlineFiles"]),
        .library(name: "BarlineAnalysis", targets: ["BarlineAnalysis"]),
        .library(name: "BarlineOutputs", targets: ["BarlineOutputs"]),
        .library(name: "BarlineSession", targets: ["BarlineSession"]),
        .library(name: "BarlineHost", targets: ["BarlineHost"]),
        .executable(name: "barline", targets: ["BarlineCommand"]),
    ],
    traits: [
        .trait(name: "LibAV", description: "AAC, ALAC, WavPack, Matroska and WebM, through libavformat and libavcodec"),
        .trait(
            name: "JACK", description: "The output to JACK and PipeWire, with MIDI controllers there, through libjack"),
        .trait(name: "PortAudio", description: "The output to sound cards through PortAudio"),
        .default(enabledTraits: ["LibAV", "JACK", "PortAudio"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    ],
    targets: [
        .target(name: "CRealtime", linkerSettings: [.linkedLibrary("m")]),
        .target(name: "CKernels", linkerSettings: [.linkedLibrary("m")]),
        // The trained weights of the analysis as bytes.
        .target(name: "CWeights", exclude: ["Data"]),
        .systemLibrary(
            name: "CSndFile", pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
        .systemLibrary(
            name: "CMpg123", pkgConfig: "libmpg123",
            providers: [.apt(["libmpg123-dev"]), .brew(["mpg123"])]),
        .systemLibrary(
            name: "CLibAVHeaders", pkgConfig: libAVPkgConfig,
            providers: [.apt(["libavformat-dev", "libavcodec-dev"]), .brew(["ffmpeg"])]),
        .target(
            name: "CLibAV",
            dependencies: [.target(name: "CLibAVHeaders", condition: .when(traits: ["LibAV"]))],
            cSettings: [.define("BARLINE_LIBAV", .when(traits: ["LibAV"]))],
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .systemLibrary(
            name: "CJack", pkgConfig: "jack",
            providers: [.apt(["libjack-jackd2-dev"]), .brew(["jack"])]),
        .systemLibrary(
            name: "CPortAudio", pkgConfig: portAudioPkgConfig,
            providers: [.apt(["portaudio19-dev"]), .brew(["portaudio"])]),
        .systemLibrary(
            name: "CEBUR128", pkgConfig: "libebur128",
            providers: [.apt(["libebur128-dev"]), .brew(["libebur128"])]),
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng16",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

        .target(name: "BarlineTime", dependencies: ["CRealtime"]),
        .target(name: "BarlineDSP", dependencies: ["BarlineTime", "CKernels", "CRealtime"]),
        .target(name: "BarlineEngine", dependencies: ["BarlineTime", "BarlineDSP", "CKernels", "CRealtime"]),
        .target(
            name: "BarlineFiles",
            dependencies: [
                "BarlineDSP", "BarlineEngine", "CKernels", "CSndFile", "CMpg123",
                .target(name: "CLibAV", condition: .when(traits: ["LibAV"])),
            ]),
        .target(
            name: "BarlineAnalysis",
            dependencies: ["BarlineDSP", "BarlineFiles", "CKernels", "CRealtime", "CEBUR128", "CWeights"]),
        .target(name: "BarlinePictures", dependencies: ["BarlineAnalysis", "CPNG"]),
        .target(
            name: "BarlineOutputs",
            dependencies: [
                "BarlineEngine", .target(name: "CJack", condition: .when(traits: ["JACK"])),
                .target(name: "CPortAudio", condition: .when(traits: ["PortAudio"])), "CRealtime",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "BarlineDesktop",
            dependencies: ["CRealtime", .target(name: "CDBus", condition: .when(platforms: [.linux]))]),
        .target(
            name: "BarlineSession",
            dependencies: [
                "BarlineEngine", "BarlineFiles", "BarlineAnalysis", .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "BarlineDemo", dependencies: ["BarlineTime", "BarlineFiles", "BarlineSession"]),
        .target(name: "BarlineHost", dependencies: ["BarlineSession", "BarlineOutputs", "BarlineAnalysis"]),
        // All of the above, and an engine with an output in two lines.
        .target(
            name: "Barline",
            dependencies: [
                "BarlineTime", "BarlineDSP", "BarlineEngine", "BarlineFiles", "BarlineOutputs", "BarlineSession",
            ]),
        .target(
            name: "BarlineServer",
            dependencies: [
                "BarlineHost", "BarlineSession", "BarlineOutputs", "CQREncode", "CRealtime",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            exclude: ["Page", "Embedded"], plugins: ["EmbedPage"]),
        // The page's files become bytes in the program.
        .plugin(name: "EmbedPage", capability: .buildTool(), dependencies: ["PageEmbedder"]),
        .executableTarget(name: "PageEmbedder", path: "Plugins/PageEmbedder"),
        // Makes man pages of the parser's own description of the command line, when the program is installed.
        .executableTarget(name: "ManualWriter", path: "Plugins/ManualWriter"),
        // Writes what is made of the declarations of verbs and keys: `make reference`.
        .executableTarget(name: "ReferenceWriter", dependencies: ["BarlineServer"], path: "Plugins/ReferenceWriter"),
        // Draws the picture in the README: `make picture`.
        .executableTarget(
            name: "TourPainter", dependencies: ["BarlineDemo", "BarlinePictures"], path: "Plugins/TourPainter"),
        .executableTarget(
            name: "BarlineCommand",
            dependencies: [
                "BarlineDesktop", "BarlineDemo", "BarlineHost", "BarlinePictures",
                "BarlineSession", "BarlineServer", "BarlineOutputs", .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Prints the features on which the tempo classifiers are trained.
        // What CI counts the instructions of.
        .executableTarget(
            name: "InstructionCounts", dependencies: ["BarlineDSP", "BarlineEngine", "BarlineTime", "CKernels"],
            path: "Tests/InstructionCounts", exclude: ["instructions.txt"]),
        .executableTarget(name: "TempoFeatures", dependencies: ["BarlineAnalysis"], path: "Benchmarks/Tempo/Features"),

        // Complete small programs, which a test runs. As the snippets, they see what is public and nothing else.
        .executableTarget(
            name: "LauncherExample", dependencies: ["Barline"], path: "Examples/Launcher", packageAccess: false),
        .executableTarget(
            name: "PlaylistExample", dependencies: ["Barline"], path: "Examples/Playlist", packageAccess: false),
        .executableTarget(
            name: "MultitrackExample", dependencies: ["Barline"], path: "Examples/Multitrack", packageAccess: false),
        .executableTarget(
            name: "MetronomeExample", dependencies: ["Barline"], path: "Examples/Metronome", packageAccess: false),
        // It has the engine's own structures in its code: builds that follow a change look at direct dependencies only.
        .executableTarget(
            name: "LooperExample", dependencies: ["Barline", "BarlineEngine"], path: "Examples/Looper",
            packageAccess: false),
        .testTarget(
            name: "BarlineTests",
            dependencies: [
                "Barline", "BarlineTestSupport", "LauncherExample", "PlaylistExample", "MultitrackExample",
                "MetronomeExample", "LooperExample",
            ]),

        // What all tests share, with nothing of the program in it.
        .target(name: "BarlineTestNumbers", path: "Tests/BarlineTestNumbers"),
        .testTarget(name: "BarlineTimeTests", dependencies: ["BarlineTime", "BarlineTestNumbers"]),
        .testTarget(name: "BarlineDSPTests", dependencies: ["BarlineDSP", "BarlineTestNumbers", "CKernels"]),
        .testTarget(name: "BarlineEngineTests", dependencies: ["BarlineEngine", "BarlineTestNumbers"]),
        // What the test targets share.
        .target(
            name: "BarlineTestSupport",
            dependencies: ["BarlineDSP", "BarlineFiles", "BarlineOutputs", "BarlineSession", "BarlineTestNumbers"],
            path: "Tests/BarlineTestSupport"),
        .testTarget(name: "BarlineFilesTests", dependencies: ["BarlineFiles", "BarlineTestSupport"]),
        .testTarget(
            name: "BarlineAnalysisTests",
            dependencies: ["BarlineAnalysis", "BarlineTestSupport", "CEBUR128", "CRealtime"]),
        .testTarget(name: "BarlineSessionTests", dependencies: ["BarlineSession", "BarlineTestSupport"]),
        .testTarget(name: "BarlineDemoTests", dependencies: ["BarlineDemo", "BarlineAnalysis", "BarlineTestSupport"]),
        .testTarget(name: "BarlinePicturesTests", dependencies: ["BarlinePictures", "BarlineTestSupport"]),
        .testTarget(
            name: "BarlineOutputsTests",
            dependencies: [
                "BarlineHost", "BarlineOutputs", "BarlineSession", "BarlineAnalysis", "BarlineTestSupport",
                .target(name: "CJack", condition: .when(traits: ["JACK"])),
            ]),
        .testTarget(name: "BarlineHostTests", dependencies: ["BarlineHost", "BarlineTestSupport"]),
        .testTarget(
            name: "BarlineServerTests",
            dependencies: [
                "BarlineServer", "BarlineHost", "BarlineSession", "BarlineOutputs", "CRealtime", "BarlineTestSupport",
            ]),
        .testTarget(name: "BarlineDesktopTests", dependencies: ["BarlineDesktop", "BarlineTestSupport"]),
        // What takes in what others have made, for the fuzzer and for the test of what it has found.
        .target(
            name: "BarlineFuzz",
            dependencies: ["BarlineFiles", "BarlineServer", "BarlineSession", "BarlineTestSupport", "BarlineTime"],
            path: "Tests/BarlineFuzz"),
        .testTarget(name: "BarlineFuzzTests", dependencies: ["BarlineFuzz"], exclude: ["Corpora"]),
        // The command line's tests run the program that is built beside them.
        .testTarget(
            name: "BarlineCommandTests",
            dependencies: ["BarlineCommand", "ManualWriter", "BarlineSession", "BarlineTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// What waits for servers and programs takes far longer to optimise than it computes.
let unoptimized = ["BarlineServerTests", "BarlineCommandTests", "BarlineHostTests"]
for target in package.targets where unoptimized.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}

// The sanitizers look at the engine: for them nothing is built but that, and what the snippets need.
if Context.environment["BARLINE_ENGINE_ALONE"] != nil {
    let others = [
        "BarlineServer", "BarlineDesktop", "PageEmbedder", "EmbedPage", "ManualWriter", "ReferenceWriter",
        "TourPainter", "TempoFeatures", "BarlineFuzz", "BarlineCommand", "barline", "LauncherExample",
        "PlaylistExample", "MultitrackExample", "MetronomeExample", "LooperExample",
    ]
    let tested = ["BarlineDSPTests", "BarlineEngineTests"]
    package.targets.removeAll { target in
        others.contains(target.name) || target.type == .test && !tested.contains(target.name)
    }
    package.products.removeAll { product in others.contains(product.name) }
    package.dependencies = [.package(url: "https://github.com/apple/swift-log", from: "1.16.0")]
}

// ThreadSanitizer slows the engine down a hundredfold, and where only one thread runs there is nothing for it to see: the
// tests in which several threads use one thing are built by themselves.
if Context.environment["BARLINE_THREADS_ALONE"] != nil {
    let threaded = [
        "BoardTests.swift", "CaptureThreadTests.swift", "ClipLifecycleTests.swift", "PlaylistThreadTests.swift",
        "RingTests.swift", "StemStormTests.swift", "StreamRingTests.swift", "ThreadStormTests.swift",
    ]
    for target in package.targets where target.type == .test {
        let files = FileManager.default.subpaths(atPath: "\(Context.packageDirectory)/Tests/\(target.name)") ?? []
        target.exclude += files.filter { file in
            file.hasSuffix("Tests.swift") && !threaded.contains(URL(fileURLWithPath: file).lastPathComponent)
        }
    }
}

// The fuzzer tells by the paths that are taken which inputs are worth keeping: what it looks at is compiled for that.
if Context.environment["BARLINE_FUZZ"] != nil {
    let watched = ["BarlineTime", "BarlineFiles", "BarlineSession", "BarlineHost", "BarlineServer"]
    for target in package.targets where watched.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer,address"])]
    }
    package.targets += [
        .target(name: "CFuzzDriver", path: "Tests/CFuzzDriver"),
        .executableTarget(
            name: "FuzzDriver", dependencies: ["BarlineFuzz", "CFuzzDriver"], path: "Tests/FuzzDriver",
            swiftSettings: [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}

// RealtimeSanitizer needs its runtime and nothing of the compiler: what is built for the tests is linked with it as it is.
if Context.environment["BARLINE_REALTIME"] != nil {
    for target in package.targets where target.name == "BarlineEngineTests" {
        target.linkerSettings = [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])]
    }
}
