import ArgumentParser
import BarlineOutputs
import BarlineSession
import Foundation

/// `barline rooms`: the rooms of a Snapcast server, their volumes and what they play.
struct RoomsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms", abstract: "Lists the rooms of a Snapcast server, and sets what they play and how loud.",
        usage: "barline rooms [<options>] [<host>]",
        discussion: "Settings apply to the rooms that --room names, or to all. Then the rooms are listed.")

    @Argument(help: ArgumentHelp("The server.", valueName: "host"))
    var server = "localhost"

    @Option(parsing: .unconditional, help: "The port where the server is controlled.")
    var port = SnapcastAddress.standardControlPort

    @Option(help: ArgumentHelp("A room's name or identifier; may be given several times.", valueName: "name"))
    var room: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("Set the volume.", valueName: "0…100"))
    var volume: Int?

    @Flag(help: "Mute.")
    var mute = false

    @Flag(help: "Let sound again.")
    var unmute = false

    @Option(help: ArgumentHelp("Play another of the server's streams.", valueName: "name"))
    var stream: String?

    @OptionGroup var options: ListOptions

    func validate() throws {
        if mute, unmute { throw ValidationError("--mute and --unmute contradict each other") }
        if !(1...65_535).contains(port) { throw ValidationError("--port must be from 1 to 65535") }
        if let volume, !(0...100).contains(volume) { throw ValidationError("--volume must be from 0 to 100") }
    }

    func run() throws {
        let control = try SnapcastControl(host: SnapcastAddress(server).host, port: port)
        let isMuted: Bool? = mute ? true : unmute ? false : nil
        for room in try chosen(of: control.rooms()) {
            if volume != nil || isMuted != nil { try control.set(room, volume: volume, isMuted: isMuted) }
            if let stream { try control.play(stream: stream, in: room) }
        }
        for room in try chosen(of: control.rooms()) { show(room) }
    }

    private func chosen(of rooms: [SnapcastRoom]) throws -> [SnapcastRoom] {
        for name in room where !rooms.contains(where: { $0.name == name || $0.id == name }) {
            Terminal.report(
                "\(server): there is no room \"\(name)\"; there is \(rooms.map(\.name).joined(separator: ", "))")
            throw ExitCode(1)
        }
        return room.isEmpty ? rooms : rooms.filter { room.contains($0.name) || room.contains($0.id) }
    }

    private func show(_ room: SnapcastRoom) {
        if options.json {
            JSONOutput.print([
                "room": .string(room.name), "id": .string(room.id), "connected": .bool(room.isConnected),
                "volume": .number(Double(room.volume)), "muted": .bool(room.isMuted),
                "latency": .number(room.latency), "group": .string(room.group), "stream": .string(room.stream),
            ])
        } else {
            let name = room.name.padding(toLength: max(16, room.name.count), withPad: " ", startingAt: 0)
            let notes = (room.isMuted ? ", muted" : "") + (room.isConnected ? "" : ", not there")
            Terminal.printLine("\(name) \(room.volume) %, plays \(room.stream)\(notes)")
        }
    }
}
