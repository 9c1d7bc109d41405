import BarlineTestSupport
import Testing

/// `barline devices`.
@Suite("Listing what can be played to")
struct DevicesTests {
    @Test("There is always the clock, and exactly one default")
    func json() throws {
        let outcome = try Barline.run(["devices", "--json"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty, "sound libraries are not let talk")
        let devices = try JSONLines.objects(outcome.output)
        let clock = try #require(devices.last)
        #expect(clock.text("backend") == "null")
        #expect(clock.number("sampleRate") == 48_000)
        #expect(devices.filter { $0["default"] as? Bool == true }.count == 1)
        for device in devices {
            #expect(Set(device.keys) == ["backend", "name", "sampleRate", "channels", "latency", "default"])
        }
    }

    @Test("For a person, a line each")
    func lines() throws {
        let outcome = try Barline.run(["devices"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("null (paced by the clock, not heard), 48000 Hz"))
    }

    // Devices of the test's own: ALSA's, which only Linux has.
    #if os(Linux)
        @Test("The default is the one that is played to, wherever in the list it stands")
        func defaultDevice() throws {
            let folder = try TemporaryFolder()
            let devices = "pcm.aaa { type null }\npcm.default { type null }\npcm.zzz { type null }\n"
            let path = try folder.write("asound.conf", devices)
            let outcome = try Barline.run(["devices", "--json"], environment: ["ALSA_CONFIG_PATH": path])
            let chosen = try JSONLines.objects(outcome.output).filter { $0["default"] as? Bool == true }
            #expect(chosen.compactMap { $0.text("name") } == ["ALSA: default"])
        }
    #endif
}
