import ArgumentParser
import BarlineServer
import Foundation

/// The options of commands that serve the page.
struct PageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Port of the page. Default: 7373, or the next that is free.", valueName: "number"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Serve the page to the network, at this name or address of the machine; the printed link carries a token.",
            valueName: "host"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Serve the page over TLS, with this certificate in PEM; those that vouch for it may follow it in the file.",
            valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Take OSC messages on this UDP port.", valueName: "number"))
    var osc: Int?

    @Option(
        help: ArgumentHelp(
            "Take OSC messages from the network too, at this name or address of the machine; from there only what plays.",
            valueName: "host"))
    var oscListen: String?

    @Option(
        help: ArgumentHelp(
            "Who may send OSC from the network: an address or a range as 192.168.1.0/24; may be repeated. Others are let in on the page.",
            valueName: "cidr"))
    var oscAllow: [String] = []

    @Flag(name: .customLong("no-browser"), help: "Don't open a browser.")
    var noBrowser = false

    @Flag(name: .customLong("no-page"), help: "Don't serve the page and the API; OSC and MIDI work without them.")
    var noPage = false

    @Option(help: .init("Serve the page from this folder, for those who work on it.", visibility: .hidden))
    var pageFolder: String?

    func validate() throws {
        if let port, !(0...65_535).contains(port) { throw ValidationError("--port must be from 0 to 65535") }
        if let osc, !(0...65_535).contains(osc) { throw ValidationError("--osc must be from 0 to 65535") }
        if noPage, port != nil { throw ValidationError("--no-page contradicts --port") }
        if noPage, listen != nil { throw ValidationError("--no-page contradicts --listen") }
        if noPage, tlsCertificate != nil { throw ValidationError("--no-page contradicts --tls-certificate") }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-certificate and --tls-key need each other")
        }
        for range in oscAllow where AddressRange(range) == nil {
            throw ValidationError("--osc-allow: \"\(range)\" is no address and no range as 192.168.1.0/24")
        }
        if !oscAllow.isEmpty, oscListen == nil {
            throw ValidationError("--osc-allow needs --osc-listen: without it OSC is taken from this machine only")
        }
    }

    /// Serves what is played, and says where.
    func serve(_ live: LivePerformance, isQuiet: Bool) throws {
        let osc = osc ?? (oscListen == nil ? nil : ServerConfiguration.standardOSCPort)
        if noPage, osc == nil { return }
        var configuration = ServerConfiguration()
        configuration.servesPage = !noPage
        configuration.port = port
        configuration.host = listen
        if let tlsCertificate, let tlsKey {
            configuration.certificate = CertificateFiles(certificate: tlsCertificate, key: tlsKey)
        }
        configuration.oscPort = osc
        configuration.oscHost = oscListen
        configuration.oscAllowed = oscAllow.compactMap(AddressRange.init)
        if listen != nil { configuration.token = ServerConfiguration.randomToken() }
        configuration.pageFolder = pageFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let link = try live.serve(configuration)
        if let link, !noBrowser, !isQuiet { Browser.open(link) }
    }
}
