#if JACK
    import CJack
    import CRealtime
    import Synchronization

    extension JackMIDI {
        /// Connects to every controller of the machine.
        func connect() {
            for flag in [JackPortIsOutput, JackPortIsInput] {
                let flags = UInt(flag.rawValue | JackPortIsPhysical.rawValue)
                guard let names = jack_get_ports(client, nil, JACK_DEFAULT_MIDI_TYPE, flags) else { continue }
                defer { jack_free(names) }
                var index = 0
                while let name = names[index] {
                    connect(to: String(cString: name), flags: flags)
                    index += 1
                }
            }
        }

        /// Connects to the controllers that were plugged in since the last call. What somebody has disconnected stays so
        /// until it is plugged in again. Used by one thread at a time.
        func connectNew() {
            for id in context.pointee.registered.withLock({ ids in
                defer { ids = [] }
                return ids
            }) {
                guard let port = jack_port_by_id(client, id), let name = jack_port_name(port),
                    let type = jack_port_type(port), String(cString: type) == JACK_DEFAULT_MIDI_TYPE
                else { continue }
                let flags = UInt(jack_port_flags(port))
                if flags & UInt(JackPortIsPhysical.rawValue) != 0 { connect(to: String(cString: name), flags: flags) }
            }
        }

        /// Whether a controller was connected since the last call: it shows nothing of what was sent before.
        func takeReached() -> Bool { context.pointee.isReached.exchange(false, ordering: .sequentiallyConsistent) }

        private func connect(to name: String, flags: UInt) {
            if flags & UInt(JackPortIsOutput.rawValue) != 0 {
                jack_connect(client, name, inputName)
            } else {
                jack_connect(client, outputName, name)
            }
        }
    }

    func midiPortsChanged(_ port: jack_port_id_t, _ isThere: Int32, _ context: UnsafeMutableRawPointer?) {
        guard isThere != 0, let context = context?.assumingMemoryBound(to: MIDIContext.self) else { return }
        context.pointee.registered.withLock { $0.append(port) }
        rt_signal_give(context.pointee.arrival)
    }

    func midiPortConnected(
        _ first: jack_port_id_t, _ second: jack_port_id_t, _ isConnected: Int32, _ context: UnsafeMutableRawPointer?
    ) {
        guard isConnected != 0, let context = context?.assumingMemoryBound(to: MIDIContext.self) else { return }
        let (client, output) = (context.pointee.client, context.pointee.output)
        guard [first, second].contains(where: { jack_port_by_id(client, $0) == output }) else { return }
        context.pointee.isReached.store(true, ordering: .sequentiallyConsistent)
        rt_signal_give(context.pointee.arrival)
    }
#endif
