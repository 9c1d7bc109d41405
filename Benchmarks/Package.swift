// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "barline-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "barline", path: "..")],
    targets: [
        .systemLibrary(
            name: "CSampleRate", pkgConfig: "samplerate",
            providers: [.apt(["libsamplerate0-dev"]), .brew(["libsamplerate"])]),
        .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"]), .brew(["libsoxr"])]),
        .executableTarget(
            name: "Interpolator",
            dependencies: ["CSampleRate", "CSoxr", .product(name: "BarlineDSP", package: "barline")]),
        .executableTarget(
            name: "Voices", dependencies: [.product(name: "BarlineEngine", package: "barline")]),
        .executableTarget(
            name: "Scaling", dependencies: [.product(name: "BarlineEngine", package: "barline")]),
        .executableTarget(
            name: "Capture", dependencies: [.product(name: "BarlineEngine", package: "barline")]),
        .executableTarget(
            name: "Commands", dependencies: [.product(name: "BarlineEngine", package: "barline")]),
        .executableTarget(
            name: "Stretch",
            dependencies: [
                .product(name: "BarlineDSP", package: "barline"), .product(name: "BarlineEngine", package: "barline"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
