#if PortAudio && JACK
    import BarlineTestSupport
    import Foundation
    import Testing

    @testable import BarlineOutputs

    extension JackTests {
        /// PortAudio as a client of JACK servers that come and go.
        @Suite("PortAudio's devices", .timeLimit(.minutes(10)))
        struct PortAudioListingTests {
            private static let name = "JACK Audio Connection Kit: system"

            private static var isListed: Bool {
                PortAudioLibrary.devices().contains { "\($0.system): \($0.name)" == name }
            }

            @Test("Devices are those of the server that runs, also where the one before was killed and another joined")
            func nextServer() throws {
                var server = try JackServer()
                defer { server.end() }
                #expect(Self.isListed)
                #expect(!PortAudioLibrary.isInUse, "PortAudio is no client of a server for longer than it looks")
                server.crash()
                #expect(!Self.isListed)
                server = try JackServer()
                let device = try JackDevice(name: "listing")
                defer { device.close() }
                #expect(Self.isListed)
                #expect(Self.isListed)
            }

            @Test("While a client of a killed server is to be closed PortAudio is not started, nor joins the next one")
            func closingClient() throws {
                let server = try JackServer()
                defer { server.end() }
                let engine = try PlaceEngine.make()
                let device = try JackDevice(name: "listing", connection: .none)
                let source = RenderSource(engine: engine, busNames: ["main"])
                defer { source.release() }
                try device.start(source)
                server.crash()
                #expect(eventually { device.isLost })
                #expect(!Self.isAsked)
                device.close()
                #expect(Self.isAsked)
            }

            /// Whether PortAudio can be asked for devices.
            private static var isAsked: Bool {
                var isAsked = false
                _ = try? PortAudioLibrary.acquire { _ throws(OutputError) in
                    isAsked = true
                    throw .noDevice(backend: "portaudio", name: "", available: [])
                }
                return isAsked
            }
        }
    }
#endif
