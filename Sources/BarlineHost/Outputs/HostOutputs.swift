import BarlineOutputs
import Foundation
import Synchronization

/// The machine's outputs and rooms, as the page changes them for a host.
package final class HostOutputs: OutputControl {
    private let supervisor: OutputSupervisor
    private let controllers: JackControllers
    /// How the clock that is followed stands.
    package let clock: ClockStatus
    private let selection: Mutex<OutputSelection>
    private let scan: @Sendable () -> [OutputListing]?

    /// - Parameters:
    ///   - host: what plays.
    ///   - scan: looks for outputs from another process, which has no device open; `nil` where that can't be done.
    package init(_ host: SessionHost, scan: @escaping @Sendable () -> [OutputListing]? = { nil }) {
        supervisor = host.supervisor
        controllers = host.controllers
        clock = host.clock
        selection = Mutex(host.selection)
        self.scan = scan
    }

    /// The ports for MIDI.
    package var midiPorts: MIDIPorts? {
        controllers.ports.map { MIDIPorts(input: $0.input, output: $0.output, clock: supervisor.clockPort) }
    }

    // MARK: Outputs

    /// The outputs that there are.
    package func choices() -> [OutputChoice] {
        let used = supervisor.format
        var choices = listings().map { listing in
            let isUsed =
                listing.backend == used.backend
                && (listing.backend != .portaudio || used.name == "portaudio (\(listing.name))")
            return OutputChoice(
                backend: listing.backend.rawValue, device: listing.backend == .portaudio ? listing.deviceName : nil,
                name: listing.name, sampleRate: listing.sampleRate, latency: listing.latency,
                isDefault: listing.isDefault, isUsed: isUsed)
        }
        if used.backend == .snapcast {
            choices.append(
                OutputChoice(
                    backend: "snapcast", device: selection.withLock { $0.device }, name: used.name,
                    sampleRate: used.sampleRate.hertz, latency: used.latency, isDefault: false, isUsed: true))
        }
        return choices
    }

    /// What there is now, as another process sees it: what sound libraries do where a device is half gone does not
    /// reach the set that plays. What plays may be seen by this one only.
    private func listings() -> [OutputListing] {
        guard let seen = scan() else { return OutputListing.all() }
        if OutputListing.isComplete { return seen }
        let known = OutputListing.all()
        let added = seen.filter { listing in
            listing.backend == .portaudio && !known.contains { $0.backend == .portaudio && $0.name == listing.name }
        }
        // The clock stays the last one.
        return known.filter { $0.backend != .null } + added + known.filter { $0.backend == .null }
    }

    /// Lets the session play on another output.
    package func choose(backend: String, device: String?) throws(ControlRefusal) {
        guard let kind = OutputSelection.Backend(rawValue: backend) else {
            let known = OutputSelection.Backend.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw ControlRefusal("action.backend: expected one of \(known)")
        }
        var next = selection.withLock { $0 }
        next.backend = kind
        next.device = device
        // A device that was plugged in while another one of PortAudio's plays can be opened only when that is closed.
        let isNew =
            kind == .portaudio && !OutputListing.isComplete
            && !OutputListing.all().contains { $0.backend == kind && $0.deviceName == device }
        do throws(OutputError) {
            try supervisor.change(to: next.open, closingFirst: isNew)
        } catch {
            throw ControlRefusal("\(error)")
        }
        selection.withLock { $0 = next }
    }

    // MARK: Rooms

    private var server: String {
        let selection = selection.withLock { $0 }
        guard selection.backend == .snapcast, let device = selection.device,
            let address = try? SnapcastAddress(device)
        else { return "localhost" }
        return address.host
    }

    /// The rooms of the Snapcast server that is played to, or of this machine.
    package func rooms() throws(ControlRefusal) -> RoomList {
        let server = server
        do throws(OutputError) {
            let control = try SnapcastControl(host: server)
            let rooms = try control.rooms().map { room in
                RoomList.Room(
                    id: room.id, name: room.name, isConnected: room.isConnected, volume: room.volume,
                    isMuted: room.isMuted, group: room.group, stream: room.stream)
            }
            let streams = Dictionary(try control.streams().map { ($0.id, $0.isPlaying) }, uniquingKeysWith: { $1 })
            return RoomList(server: server, rooms: rooms, streams: streams)
        } catch {
            throw ControlRefusal("\(error)")
        }
    }

    /// Changes a room.
    package func change(room id: String, volume: Int?, isMuted: Bool?, stream: String?) throws(ControlRefusal) {
        do throws(OutputError) {
            let control = try SnapcastControl(host: server)
            guard let room = try control.rooms().first(where: { $0.id == id }) else {
                throw OutputError.refused(server: server, reason: "there is no room \"\(id)\"")
            }
            if volume != nil || isMuted != nil { try control.set(room, volume: volume, isMuted: isMuted) }
            if let stream { try control.play(stream: stream, in: room) }
        } catch {
            throw ControlRefusal("\(error)")
        }
    }
}
