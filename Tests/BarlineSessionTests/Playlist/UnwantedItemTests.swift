#if LibAV
    import BarlineEngine
    import BarlineFiles
    import Foundation
    import Synchronization
    import Testing

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A server that takes connections and never says a word.
    private final class MuteServer {
        private let listener: Int32
        let port: UInt16

        init() throws {
            #if os(Linux)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            listener = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) == 0 && listen(descriptor, 4) == 0
                        && getsockname(descriptor, address, &length) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            try #require(isBound)
        }

        deinit { close(listener) }
    }

    @Suite("Items that nobody wants any more")
    struct UnwantedItemTests {
        @Test("A server that hangs is asked for an item as long as it is wanted")
        func unwanted() throws {
            let server = try MuteServer()
            let asked = Atomic<Int>(0)
            let item = PlaylistItemFile(path: "http://127.0.0.1:\(server.port)/a.wav")
            #expect(throws: (any Error).self) {
                _ = try item.open { asked.wrappingAdd(1, ordering: .relaxed).newValue < 3 }
            }
            #expect(asked.load(ordering: .relaxed) >= 3)
            withExtendedLifetime(server) {}
        }
    }
#endif
