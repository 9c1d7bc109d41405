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
            func device(_ limiter: LimiterSettings?, _ name: String) throws -> (OutputSupervisor, Double) {
                let supervisor = try OutputSupervisor(
                    try JackDevice(name: name), engine: Engine(EngineConfiguration(trackCount: 1, limiter: limiter)),
                    busNames: ["main"], reopenWith: { () throws(OutputError) in NullDevice() })
                return (supervisor, supervisor.format.latency)
            }
            let (plain, before) = try device(nil, "plain")
            defer { plain.stop() }
            let (limited, after) = try device(LimiterSettings(), "limited")
            defer { limited.stop() }
            #expect(abs(after - before - 144.0 / 48_000) < 1e-9)
            let capture = try JackCapture(name: "capture", seconds: 1)
            defer { capture.close() }
            #expect(eventually { capture.latency(of: "limited:main_1") == 144 })
            #expect(capture.latency(of: "plain:main_1") == 0)
        }
    }
}
