#if PortAudio
    import BarlineEngine
    import BarlineTime
    import Foundation
    import Synchronization

    /// The inputs of a duplex stream: which of the device's channels each of the engine's input channels is.
    struct PortAudioInputs: ~Copyable, @unchecked Sendable {
        /// One more than the device's channel, counted from 0, for each of the engine's input channels; 0 for none.
        private let channels: UnsafeMutablePointer<Atomic<Int>>
        private let buffers: UnsafeMutablePointer<UnsafePointer<Float>?>
        private let known = Mutex<[DeviceInput]>([])

        /// The maximum number of input channels of the engine.
        private static var capacity: Int { @_noLocks get { 256 } }

        init() {
            channels = .allocate(capacity: PortAudioInputs.capacity)
            for channel in 0..<PortAudioInputs.capacity { (channels + channel).initialize(to: Atomic(0)) }
            buffers = .allocate(capacity: PortAudioInputs.capacity)
            buffers.initialize(repeating: nil, count: PortAudioInputs.capacity)
        }

        deinit {
            channels.deinitialize(count: PortAudioInputs.capacity)
            channels.deallocate()
            buffers.deallocate()
        }

        /// Changes the channels to match `inputs`, also while the callback runs.
        func set(_ inputs: [DeviceInput]) {
            known.withLock { $0 = inputs }
            var wanted: [Int: Int] = [:]
            for input in inputs {
                for (side, channel) in input.channels.prefix(2).enumerated() {
                    wanted[2 * input.index.rawValue + side] = channel
                }
            }
            for place in 0..<PortAudioInputs.capacity {
                channels[place].store(wanted[place] ?? 0, ordering: .relaxed)
            }
        }

        /// Whether none are wanted.
        var isEmpty: Bool { known.withLock(\.isEmpty) }

        /// Sets a block's inputs to what the device gives; channels that it does not have are silent.
        @_noLocks func provide(_ input: UnsafeRawPointer, channelCount: Int, _ block: inout AudioBlock) {
            let planes = input.assumingMemoryBound(to: UnsafePointer<Float>?.self)
            for place in 0..<PortAudioInputs.capacity {
                let channel = channels[place].load(ordering: .relaxed)
                buffers[place] = channel > 0 && channel <= channelCount ? planes[channel - 1] : nil
            }
            block.inputs = UnsafePointer(buffers)
            block.inputCount = PortAudioInputs.capacity
        }

        /// The latency of each input.
        ///
        /// - Parameters:
        ///   - playback: the latency of what is heard, in frames.
        ///   - capture: that of the device's inputs, in frames.
        ///   - output: the playback device.
        ///   - input: the capture device.
        ///   - sampleRate: the stream's.
        /// - Returns: the latency of each input.
        func latencies(
            playback: Int, capture: Int, output: String, input: String, sampleRate: SampleRate
        ) -> [InputLatency] {
            known.withLock { $0 }.map {
                $0.latency(
                    playback: playback, capture: capture, output: output, input: input,
                    sampleRate: sampleRate.hertz)
            }
        }
    }
#endif
