// What all views share: the state, the moment, and the ways to change things.

import { ServerClock } from "./model/clock.js"
import { Listener } from "./model/listener.js"
import { moment, nothing } from "./model/live.js"
import { isHeldClip, rowCount, viewState } from "./model/session.js"
import { clickWaits } from "./model/text.js"
import { Waveforms } from "./model/waveforms.js"
import { Connection } from "./net/connection.js"
import { Holds } from "./ui/holds.js"
import { tell } from "./ui/notices.js"
import { offerRescued, tellTake } from "./ui/takes.js"
import { applyTheme } from "./ui/theme.js"
import { pickFiles } from "./views/import.js"
import { ListPlace } from "./views/list-place.js"

/** The page's one model. */
export class App {
  constructor(parts) {
    this.parts = parts
    this.state = null
    this.live = nothing(parts)
    this.clock = new ServerClock()
    this.waveforms = new Waveforms()
    this.listener = new Listener(() => this.listeningListeners.forEach((listener) => listener()))
    this.listeningListeners = []
    this.holds = new Holds()
    this.isLinked = false
    // Clips that were let go, as far as the program has not said that it knows.
    this.unreleased = new Set()
    this.frame = null
    this.chosen = null
    this.isEditing = false
    this.stateListeners = []
    this.frameListeners = []
    this.choiceListeners = []
    this.launchListeners = []
    applyTheme()
    offerRescued(this)
    // Canvases keep the colours they were drawn in, and controls what was chosen there.
    addEventListener("barline-refresh", () => this.state && this.changed())
  }

  connect() {
    this.connection = new Connection(this.parts, {
      state: (state) => this.take(state),
      frame: (frame) => this.takeFrame(frame),
      clock: (sent, received, time) => this.clock.add(sent, received, time),
      notice: (text, level) => tell(text, level === "error" ? "error" : "info"),
      watching: () => (document.getElementById("access").hidden = false),
      link: (isUp) => this.showLink(isUp),
      ended: () => this.showLink(false, true),
    })
  }

  take(state) {
    // A program that was replaced while the page was open brings a page of its own.
    if (this.version !== undefined && this.version !== state.program.version) location.reload()
    this.version = state.program.version
    this.state = viewState(state, this.parts)
    if (this.chosen && !this.state.clips.has(this.chosen)) this.chosen = null
    for (const listener of this.stateListeners) listener(this.state)
    document.documentElement.dataset.ready = "yes"
  }

  takeFrame(frame) {
    this.frame = frame
    for (const listener of this.frameListeners) listener(frame)
  }

  showLink(isUp, hasEnded = this.hasEnded) {
    const link = document.getElementById("link")
    this.hasEnded = hasEnded && !isUp
    link.hidden = isUp
    if (isUp) link.textContent = ""
    else if (this.hasEnded) link.textContent = "This link does not hold any more. Open the one that Barline shows now."
    else link.textContent = "Barline can't be reached. Trying again…"
    this.isLinked = isUp
    if (isUp) {
      for (const id of this.unreleased) this.release(id)
      return
    }
    this.clock.clear()
    this.frame = null
  }

  /** Calls `listener` with every new state; what it returns ends that. */
  onState(listener) {
    this.stateListeners.push(listener)
    return () => {
      this.stateListeners = this.stateListeners.filter((other) => other !== listener)
    }
  }

  /** Calls `listener` with every frame that the program sends, also where nothing is drawn. */
  onFrame(listener) {
    this.frameListeners.push(listener)
  }

  /** Calls `listener` when another clip is chosen, or the mode changes. */
  onChoice(listener) {
    this.choiceListeners.push(listener)
  }

  /** Calls `listener` when something was launched from this page. */
  onLaunch(listener) {
    this.launchListeners.push(listener)
  }

  changed() {
    for (const listener of this.choiceListeners) listener()
  }

  /** What is heard at `now`, in seconds of the page. */
  moment(now) {
    if (!this.frame || !this.state) return this.live
    const heard = this.listener.heard ?? this.clock.heard(this.frame, now)
    this.live = moment(this.frame, heard, now, this.state)
    return this.live
  }

  /** Performs an action; fulfilled with the server's answer, or with `undefined` where it failed, which is reported. */
  async perform(action) {
    try {
      const done = await this.connection.perform(action)
      if (done.message) tell(done.message)
      if (action.do === "launch" || action.do === "launchScene") for (const listener of this.launchListeners) listener()
      return done
    } catch (error) {
      tell(error.message, "error")
      return undefined
    }
  }

  /** Launches a clip for as long as what `event` has pressed is held, where it is such a clip. */
  launchHeld(clip, event) {
    this.unreleased.delete(clip.id)
    this.perform({ do: "launch", clip: clip.id })
    if (isHeldClip(clip)) this.holds.begin(event, () => this.release(clip.id))
  }

  /** Lets go of a clip, unless it is gone. */
  async release(id) {
    if (!this.state.clips.has(id)) return
    // What can't be said now is said as soon as it can.
    this.unreleased.add(id)
    if (!this.isLinked) return
    const done = await this.perform({ do: "release", clip: id })
    // What was refused is not asked for again, what was lost with the link is.
    if (done || this.isLinked) this.unreleased.delete(id)
  }

  /** Silences everything at once. */
  panic() {
    this.perform({ do: "transport", action: "stop" })
    if (this.state.session.stems.length > 0) this.perform({ do: "stems", action: "pause" })
    if (this.state.session.playlist.length > 0) this.perform({ do: "playlist", action: "pause" })
    for (const part of this.parts) if (part.isUsed(this.state.session)) part.silence(this)
  }

  /** Turns the click on or off; where the transport is stopped it says when it will be heard. */
  async toggleClick() {
    const on = !this.live.isMetronomeOn
    const done = await this.perform({ do: "metronome", on })
    // The metronome's own view says it for as long as it is so.
    if (done && on && !this.live.isRolling && this.view !== "metronome") tell(clickWaits)
  }

  /** Begins to record what is done and how it sounds, with `tracks` each track by itself too; or ends that. */
  async toggleRecording({ tracks = false } = {}) {
    const done = await this.perform({ do: "record", on: !this.state.recording, audio: true, tracks })
    if (done?.result?.recordings) tellTake(done.result)
  }

  /** Calls `listener` when listening here begins, ends, or has another latency. */
  onListening(listener) {
    this.listeningListeners.push(listener)
  }

  toggleListening() {
    if (this.listener.isOn) this.listener.stop()
    else if (isSecureContext) this.listener.start()
    else tell("Browsers play sound that is streamed over a secure connection only: open the page by https.", "error")
  }

  /** Opens the editor on a clip, or closes it. */
  choose(clip) {
    this.chosen = clip
    this.changed()
  }

  /** Whether pressing a clip chooses it instead of launching it. */
  setEditing(isEditing) {
    this.isEditing = isEditing
    this.changed()
  }

  rowCount() {
    return rowCount(this.state.session)
  }

  pickFiles(place) {
    pickFiles(this, place)
  }

  /** Where files go that are dropped beside every place: to what the view shows, else down the first track. */
  dropPlace() {
    if (this.view === "playlist") return { playlist: new ListPlace(this) }
    const part = this.parts.find(({ view }) => view.id === this.view)
    if (part) return part.dropPlace(this)
    return this.view === "stems" ? { stem: true } : {}
  }
}
