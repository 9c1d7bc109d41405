"""What is heard of the engine in the browser: no step in it, whatever comes late, or not at all."""

import numpy

HERTZ = 220
LEVEL = 0.3
RATE = 48_000

# Renders the page's own worklet: what is sent to it, at which time of its own.
RENDER = """async ([sent, seconds, level, hertz, rate]) => {
  const context = new OfflineAudioContext(2, seconds * rate, rate)
  await context.audioWorklet.addModule("/modules/listen-worklet.js")
  const node = new AudioWorkletNode(context, "barline-listening", {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions: { sampleRate: rate, delay: 0.12 },
  })
  node.connect(context.destination)
  const reports = []
  node.port.onmessage = ({ data }) => reports.push(data)
  for (const [time, first, count] of sent) {
    context.suspend(time).then(async () => {
      if (count === 0) node.port.postMessage({ isOver: true })
      for (let frame = first; frame < first + count; frame += 1000) {
        const interleaved = new Float32Array(2000)
        for (let index = 0; index < 1000; index += 1) {
          const sample = level * Math.sin((2 * Math.PI * hertz * (frame + index)) / rate)
          interleaved[2 * index] = sample
          interleaved[2 * index + 1] = -sample
        }
        node.port.postMessage({ frame, interleaved })
      }
      await new Promise((done) => setTimeout(done, 50))
      context.resume()
    })
  }
  const sound = await context.startRendering()
  await new Promise((done) => setTimeout(done, 50))
  return [[...sound.getChannelData(0)], [...sound.getChannelData(1)], reports.at(-1).gaps]
}"""


def render(stage, sent, seconds):
    left, right, gaps = stage.page.evaluate(RENDER, [sent, seconds, LEVEL, HERTZ, RATE])
    left, right = numpy.array(left), numpy.array(right)
    assert numpy.abs(left + right).max() < 1e-6
    return left, gaps


def steepest(sound):
    return numpy.abs(numpy.diff(sound)).max()


# The tone's own steepest step, and as much again as it may have where it comes and goes within 250 frames.
STEPS = LEVEL * (2 * numpy.pi * HERTZ / RATE + 2 / 250)


def test_what_is_heard_here_is_what_is_sent_once_it_has_come_in(stage):
    # A block every 20 ms, now and then late by as much.
    sent = [[0.02 * place, 1_000 * place, 1_000] for place in range(40) if place % 5 < 3]
    sent += [[0.02 * place, 1_000 * (place - 1), 2_000] for place in range(40) if place % 5 == 4]
    sound, gaps = render(stage, sent, 0.8)
    begin = numpy.flatnonzero(sound)[0]
    assert 0.1 * RATE < begin < 0.15 * RATE and gaps == 0 and steepest(sound) < STEPS
    assert numpy.abs(sound[begin + 500 :]).max() > 0.29


def test_no_step_is_heard_where_the_sound_runs_dry_or_is_stopped(stage):
    sound, gaps = render(stage, [[0.0, 0, 24_000], [0.4, 24_000, 12_000], [0.45, 36_000, 12_000], [0.5, 0, 0]], 0.8)
    assert gaps == 1
    assert numpy.abs(sound[int(0.02 * RATE) : int(0.1 * RATE)]).max() > 0.29, "it sounds"
    assert numpy.abs(sound[int(0.2 * RATE) : int(0.39 * RATE)]).max() == 0, "it has run dry"
    assert numpy.abs(sound[int(0.42 * RATE) : int(0.49 * RATE)]).max() > 0.29, "it sounds again"
    assert numpy.abs(sound[int(0.52 * RATE) :]).max() == 0, "it is stopped"
    assert steepest(sound) < STEPS


def test_no_step_is_heard_where_frames_are_missing_or_too_many_come_or_the_program_begins_anew(stage):
    sent = [[0.0, 0, 24_000], [0.05, 131_072 + 30_000, 12_000], [0.1, 131_072 + 42_000, 60_000], [0.15, 0, 12_000]]
    sound, gaps = render(stage, sent, 0.4)
    assert gaps >= 2
    assert numpy.abs(sound[int(0.02 * RATE) : int(0.22 * RATE)]).max() > 0.29
    assert steepest(sound) < 2 * STEPS, "two of them overlap"
