#if JACK
    import CJack

    /// The server's names for ports and for the devices that they belong to.
    enum JackNames {
        /// Copies a list of names allocated by the library, and frees it.
        static func take(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
            guard let list else { return [] }
            defer { jack_free(list) }
            var names: [String] = []
            while let name = list[names.count] { names.append(String(cString: name)) }
            return names
        }

        /// The devices that a port of `client` is connected to, each with its latency in the direction `mode`.
        static func devices(
            of port: OpaquePointer, _ client: OpaquePointer, _ mode: jack_latency_callback_mode_t
        ) -> [ConnectedDevice] {
            // Not `jack_port_get_all_connections`, which must not be called from the server's notifications.
            take(jack_port_get_connections(port)).compactMap { name in
                guard let other = jack_port_by_name(client, name) else { return nil }
                var range = jack_latency_range_t()
                jack_port_get_latency_range(other, mode, &range)
                return ConnectedDevice(
                    name: device(of: name, client),
                    isPhysical: jack_port_flags(other) & Int32(JackPortIsPhysical.rawValue) != 0,
                    latency: Int(range.max))
            }
        }

        /// The device of a port: the name given by its driver (`alsa_pcm:hw:PCH`), or else the client that owns the
        /// port.
        static func device(of name: String, _ client: OpaquePointer) -> String {
            let owner = String(name.prefix { $0 != ":" })
            guard let port = jack_port_by_name(client, name) else { return owner }
            let size = Int(jack_port_name_size())
            let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * size)
            defer { memory.deallocate() }
            memory.initialize(repeating: 0, count: 2 * size)
            let places = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 2)
            defer { places.deallocate() }
            places.initialize(to: memory)
            (places + 1).initialize(to: memory + size)
            guard jack_port_get_aliases(port, places) > 0 else { return owner }
            let parts = String(cString: memory).split(separator: ":")
            return parts.count > 1 ? parts.dropLast().joined(separator: ":") : owner
        }
    }
#endif
