// Seconds, beats (quarter notes) and tempi in BPM from each other.

/** The seconds that so many beats take. */
export const secondsOf = (beats, bpm) => (60 * beats) / bpm

/** The beats that there are in so many seconds. */
export const beatsIn = (seconds, bpm) => (seconds * bpm) / 60

/** The tempo at which so many beats take so many seconds. */
export const tempoOf = (beats, seconds) => (60 * beats) / seconds
