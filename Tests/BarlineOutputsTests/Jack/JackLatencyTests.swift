import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import CJack
import Foundation
import Testing

@testable import BarlineOutputs

extension JackTests {
    /// What is later than it was rendered says so.
    @Suite("Latency through JACK", .timeLimit(.minutes(10)))
    struct JackLatencyTests {
        @Test("A limiter's latency counts, for the program and for who captures its ports")
        func latency() throws {
            let server = try JackServer(waitsForClients: true)
            defer { server.end() }
            func device(_ limiter: LimiterSettings?, _ name: String) throws -> OutputSupervisor {
                try OutputSupervisor(
                    try JackDevice(name: name), engine: Engine(EngineConfiguration(trackCount: 1, limiter: limiter)),
                    busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
            }
            let plain = try device(nil, "plain")
            defer { plain.stop() }
            let limited = try device(LimiterSettings(), "limited")
            defer { limited.stop() }
            // The server tells its part when the ports have been connected.
            #expect(eventually { abs(limited.format.latency - plain.format.latency - 144.0 / 48_000) < 1e-9 })
            let capture = try JackCapture(name: "capture", seconds: 1)
            defer { capture.close() }
            #expect(eventually { capture.latency(of: "limited:main_1") == 144 })
            #expect(capture.latency(of: "plain:main_1") == 0)
        }
    }
}
