import BarlineDSP
import BarlineEngine
import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// An output to other rooms: raw PCM over TCP to a source of a Snapcast server, which all its clients play in sync.
///
/// Blocks of 20 ms are rendered at the pace of the monotonic clock, two of them ahead, and sent at once. If the server
/// accepts them more slowly than that, its pace is followed. Audio it has accepted can't be taken back: its buffer is
/// part of the latency. Only the main bus is sent; other buses are not audible.
public final class SnapcastDevice: OutputDevice, @unchecked Sendable {
    /// The format of the output.
    public let format: OutputFormat

    /// The block length in seconds: what a server reads at a time.
    static let blockSeconds = 0.02
    /// The number of blocks sent ahead: with fewer, a server that is late once inserts silence.
    static let leadBlocks = 2
    /// The length of the silence sent at the end, in seconds: a server drops audio that does not fill its last block.
    static let tailSeconds = 0.2

    /// The time after which a server that accepts no data is lost, in seconds.
    private static let sendTimeout = 1.0
    /// The lag beyond which a block is too late for the server, in nanoseconds.
    private static let tolerance: Int64 = 40_000_000

    private let address: SnapcastAddress
    private let connection: TCPConnection
    private let worker = Worker("barline-snap")
    private let hasFailed = Atomic<Bool>(false)

    /// Connects to a server.
    ///
    /// - Throws: ``OutputError/noServer(backend:reason:)``.
    public init(address: SnapcastAddress) throws(OutputError) {
        let port = address.port ?? SnapcastAddress.standardPort
        self.address = address
        connection = try TCPConnection(host: address.host, port: port, backend: "snapcast", timeout: 3)
        let rate = address.sampleRate
        let frames = Int((rate.hertz * SnapcastDevice.blockSeconds).rounded())
        let ahead = Double(SnapcastDevice.leadBlocks * frames) / rate.hertz + address.buffer
        format = OutputFormat(
            backend: .snapcast, name: "snapcast (\(address.host), port \(port))", sampleRate: rate, blockFrames: frames,
            latency: ahead, sendAhead: ahead)
        // A quarter of a second: limits how late a stalled server is noticed, and how far it can fall behind.
        connection.limitQueue(bytes: frames * bytesPerFrame * 12)
    }

    private var bytesPerFrame: Int { address.bits == 16 ? 4 : 8 }

    /// Whether the server has closed the connection, or no longer accepts data.
    public var isLost: Bool { hasFailed.load(ordering: .sequentiallyConsistent) }

    /// Starts requesting audio from `source`.
    public func start(_ source: RenderSource) throws(OutputError) {
        let channels = 2 * source.busNames.count
        worker.start { [self] in run(source.realtimeGate, channels: channels) }
    }

    private func run(_ gate: UnsafePointer<RenderGate>, channels: Int) {
        let frames = format.blockFrames
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
        samples.initialize(repeating: 0, count: 2 * frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: channels)
        pointers.initialize(repeating: nil, count: channels)
        for channel in 0..<min(2, channels) { pointers[channel] = samples + channel * frames }
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        AudioThread.requestPriority()
        var encoder = PCMEncoder(bits: address.bits)
        var origin = rt_monotonic_nanoseconds() - nanoseconds(SnapcastDevice.leadBlocks * frames)
        var rendered = 0
        while !worker.shouldEnd {
            gate.pointee.render(AudioBlock(outputs: UnsafePointer(pointers), outputCount: channels, frames: frames))
            guard !connection.isClosedByServer, send(encoder.encode(samples, samples + frames, count: frames)) else {
                hasFailed.store(true, ordering: .sequentiallyConsistent)
                return
            }
            rendered += frames
            let due = origin + nanoseconds(rendered)
            let late = rt_monotonic_nanoseconds() - due
            if late > SnapcastDevice.tolerance {
                // After a suspend, or behind a slower server, blocks are neither skipped nor sent faster.
                gate.pointee.countXrun()
                origin += late
            } else {
                rt_sleep_until(due)
            }
        }
        let tail = Int(SnapcastDevice.tailSeconds * format.sampleRate.hertz) * bytesPerFrame
        _ = send([UInt8](repeating: 0, count: tail))
        connection.endSending()
    }

    private func nanoseconds(_ frames: Int) -> Int64 { HostTime.nanoseconds(Double(frames) / format.sampleRate.hertz) }

    private func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { connection.send($0, timeout: SnapcastDevice.sendTimeout) }
    }

    /// Closes it, after a tail of silence.
    public func close() { worker.end() }
}
