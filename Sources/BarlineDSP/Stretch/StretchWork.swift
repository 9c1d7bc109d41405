import CKernels

/// Scratch memory for computing one grain, not preserved between grains.
struct StretchWork: BitwiseCopyable, @unchecked Sendable {
    let time: dsp_complex
    let stage: dsp_complex
    let spectrum: dsp_complex
    let earlier: dsp_complex
    let aim: dsp_complex
    let rotations: dsp_complex
    /// Those of the right channel, where they are others.
    let rightRotations: dsp_complex
    /// Points at bin 0, as the next three do; two more lie before it.
    let energies: UnsafeMutablePointer<Float>
    let earlierEnergies: UnsafeMutablePointer<Float>
    let formerEnergies: UnsafeMutablePointer<Float>
    let products: UnsafeMutablePointer<Float>
    /// The source frames of a grain.
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    let gains: UnsafeMutablePointer<Float>
    let weights: UnsafeMutablePointer<Float>
    private let storage: UnsafeMutablePointer<Float>

    private static let slack = 32

    init(size: Int) {
        let length = size + StretchWork.slack
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: 22 * length)
        storage.initialize(repeating: 0, count: 22 * length)
        self.storage = storage
        time = dsp_complex(real: storage, imaginary: storage + length)
        stage = dsp_complex(real: storage + 2 * length, imaginary: storage + 3 * length)
        spectrum = dsp_complex(real: storage + 4 * length, imaginary: storage + 5 * length)
        earlier = dsp_complex(real: storage + 6 * length, imaginary: storage + 7 * length)
        rotations = dsp_complex(real: storage + 8 * length, imaginary: storage + 9 * length)
        energies = storage + 10 * length + 8
        earlierEnergies = storage + 11 * length + 8
        left = storage + 12 * length
        right = storage + 13 * length
        gains = storage + 14 * length
        weights = storage + 15 * length
        aim = dsp_complex(real: storage + 16 * length, imaginary: storage + 17 * length)
        rightRotations = dsp_complex(real: storage + 18 * length, imaginary: storage + 19 * length)
        formerEnergies = storage + 20 * length + 8
        products = storage + 21 * length + 8
    }

    func deallocate() { storage.deallocate() }
}

extension dsp_complex {
    /// With real and imaginary parts exchanged, as for an inverse transform.
    var exchanged: dsp_complex { @_noLocks get { dsp_complex(real: imaginary, imaginary: real) } }
}
