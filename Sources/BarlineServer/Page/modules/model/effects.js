// The effects that there are, with what they and their parameters are called and may be: made of their declarations in the
// engine, by `make reference`.
// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: values are those of the engine.

export const effectKinds = {
  filter: {
    name: "Filter",
    parameters: {
      cutoff: {
        name: "Cutoff",
        from: 20,
        to: 20000,
        initial: 1000,
        unit: " Hz",
      },
      resonance: {
        name: "Resonance",
        from: 0.5,
        to: 20,
        initial: 0.707,
        unit: "",
      },
    },
    choices: {
      mode: {
        name: "Mode",
        words: {
          lowpass: "Low-pass",
          highpass: "High-pass",
          bandpass: "Band-pass",
          notch: "Notch",
        },
      },
    },
  },
}
