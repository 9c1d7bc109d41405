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

        /// The devices that a port of `client` is connected to.
        static func devices(of port: OpaquePointer, _ client: OpaquePointer) -> Set<String> {
            // Not `jack_port_get_all_connections`, which must not be called from the server's notifications.
            Set(take(jack_port_get_connections(port)).map { device(of: $0, client) })
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
