import CKernels

/// The sets of instructions that this machine has.
enum Instructions {
    static var all: [dsp_instructions] {
        defer { dsp_limit_instructions(DSP_AVX2) }
        return [DSP_BASELINE, DSP_AVX2].filter { instructions in
            dsp_limit_instructions(instructions)
            return dsp_instructions_in_use() == instructions
        }
    }

    /// Runs `body` with each of them. What other tests do meanwhile comes out the same.
    static func forEach(_ body: (dsp_instructions) -> Void) {
        defer { dsp_limit_instructions(DSP_AVX2) }
        for instructions in all {
            dsp_limit_instructions(instructions)
            body(instructions)
        }
    }
}
