import BarlineOutputs
import BarlineSession

extension SessionPlayer {
    /// What a device is to give.
    var deviceInputs: [DeviceInput] {
        let places = inputs
        return document.inputs.compactMap { input in
            places[input.name].map { DeviceInput(name: input.name, index: $0, channels: input.channels) }
        }
    }
}
