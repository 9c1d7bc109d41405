// Places between items of the playlist, which others may edit meanwhile.

/** How long it is waited for what was added to be shown, in milliseconds. */
const patience = 2000

// A place behind all others, wherever the end is when it is asked for: what others have added may not be known here.
const lastPlace = 999999

/** The place before the item that is at `index` now, or the end: what is added there stays together, in its order, whatever else is done. */
export class ListPlace {
  constructor(app, index = Number.POSITIVE_INFINITY) {
    this.app = app
    this.index = index
    this.isEnd = index >= this.ids.length
    this.before = this.ids[index - 1]
    this.after = this.ids[index]
  }

  /** Adds a file behind the ones before; fulfilled when the list shows it. */
  async add(file, title) {
    const id = `p-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`
    const action = { do: "playlist", action: "insert", index: this.now, file, id }
    if (!(await this.app.perform(title === undefined ? action : { ...action, title }))) return
    this.before = id
    this.isEnd = false
    await this.shown(id)
  }

  get ids() {
    return this.app.state.session.playlist.map(({ id }) => id)
  }

  get now() {
    const { ids } = this
    if (this.isEnd) return lastPlace
    const [before, after] = [ids.indexOf(this.before), ids.indexOf(this.after)]
    if (before >= 0) return before + 1
    return after >= 0 ? after : Math.min(this.index, ids.length)
  }

  shown(id) {
    return new Promise((resolve) => {
      const look = () => this.ids.includes(id) && end()
      const forget = this.app.onState(look)
      const timer = setTimeout(() => end(), patience)
      const end = () => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      look()
    })
  }
}
