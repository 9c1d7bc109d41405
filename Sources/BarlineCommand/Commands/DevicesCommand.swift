import ArgumentParser
import BarlineOutputs
import BarlineSession
import Foundation

/// `barline devices`: what can be played to.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "devices", abstract: "Lists the outputs.")

    @OptionGroup var options: ListOptions

    func run() throws {
        for listing in OutputListing.all() {
            if options.json {
                JSONOutput.print([
                    "backend": .string(listing.backend.rawValue), "name": .string(listing.name),
                    "sampleRate": .number(listing.sampleRate),
                    "channels": listing.channelCount.map { .number(Double($0)) } ?? .null,
                    "latency": .number((listing.latency * 1e6).rounded() / 1e6), "default": .bool(listing.isDefault),
                ])
            } else {
                let mark = listing.isDefault ? "*" : " "
                let milliseconds = String(format: "%.1f", listing.latency * 1000)
                let backend = listing.backend.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
                let rate = Int(listing.sampleRate)
                Terminal.printLine("\(mark) \(backend) \(listing.name), \(rate) Hz, \(milliseconds) ms")
            }
        }
    }
}
