// Elements made without a template language: what a view is made of is said where it is made.

/**
 * Makes an element. Properties: `class`, `text`, `on` (listeners), `vars` (custom properties, without their dashes),
 * `data`, and any attribute; `true` sets an attribute without a value, `false`, `null` and `undefined` leave it out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue
    if (key === "class") element.className = value
    else if (key === "text") element.textContent = value
    else if (key === "on")
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener)
    else if (key === "vars") for (const [name, to] of Object.entries(value)) element.style.setProperty(`--${name}`, to)
    else if (key === "data") Object.assign(element.dataset, value)
    else setAttribute(element, key, value)
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** Sets an attribute if it is another one than before; `aria-` ones are written out also where they are false. */
export function setAttribute(element, name, value) {
  if (name.startsWith("aria-") && typeof value === "boolean") value = String(value)
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name)
  } else {
    const text = value === true ? "" : String(value)
    if (element.getAttribute(name) !== text) element.setAttribute(name, text)
  }
}

/** Sets the text of an element if it is another one than before. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** Sets the value of a field that the user is not in the middle of changing. */
export function setValue(field, value) {
  const text = String(value)
  field.shown = text
  if (field.value !== text && !(document.activeElement === field && field.dataset.changing === "yes"))
    field.value = text
}

/** Has what is typed into a field stay, whatever comes in meanwhile, until it is left; Escape takes it back. */
export function keepTyping(field) {
  field.addEventListener("input", () => {
    field.dataset.changing = "yes"
    delete field.dataset.brought
  })
  // Of what was brought from a field that is gone the browser does not know that it was typed.
  const enter = () => {
    const { changing, brought } = field.dataset
    delete field.dataset.brought
    if (changing && brought) field.dispatchEvent(new Event("change"))
  }
  field.addEventListener("blur", () => {
    enter()
    delete field.dataset.changing
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter()
    if (event.key !== "Escape" || !field.dataset.changing) return
    event.preventDefault()
    delete field.dataset.brought
    field.value = field.shown ?? field.defaultValue
    field.blur()
  })
}

/** Has Escape take back what a pointer is doing, and nothing else; gives what ends that. */
export function onEscape(takeBack) {
  const end = () => removeEventListener("keydown", listen, { capture: true })
  const listen = (event) => {
    if (event.key !== "Escape") return
    event.preventDefault()
    event.stopImmediatePropagation()
    end()
    takeBack()
  }
  addEventListener("keydown", listen, { capture: true })
  return end
}

const left = ["change", "blur", "focusout"]

// What is being typed into a field that `change` takes out: nobody has left the field then.
function keepText(field, change) {
  const { value, selectionStart, selectionEnd } = field
  const leaves = (event) => event.target === field && event.stopImmediatePropagation()
  for (const type of left) addEventListener(type, leaves, { capture: true })
  change()
  for (const type of left) removeEventListener(type, leaves, { capture: true })
  return (next) => {
    if (next.tagName !== field.tagName) return
    next.value = value
    next.dataset.changing = "yes"
    next.dataset.brought = "yes"
    if (selectionStart !== null) next.setSelectionRange(selectionStart, selectionEnd)
  }
}

const stops = "button, input, select, textarea, a[href], [tabindex]"

function stopsIn(element) {
  return [...element.querySelectorAll(stops)].filter((stop) => !stop.disabled && stop.checkVisibility())
}

// Where `focused` is among the children of `parent`, and among what can be focused in its child.
function placeOf(parent, focused) {
  const child = [...parent.children].findIndex((child) => child.contains(focused))
  return { child, stop: child < 0 ? 0 : stopsIn(parent.children[child]).indexOf(focused) }
}

// What is where something was that is gone, as near as there is anything.
function neighbour(parent, { child, stop }) {
  const children = [...parent.children]
  for (const near of [...children.slice(child), ...children.slice(0, child).reverse()]) {
    const found = stopsIn(near)
    if (near.matches(stops) && !near.disabled) return near
    if (found.length > 0) return found[Math.min(Math.max(stop, 0), found.length - 1)]
  }
  return null
}

/** Where a key is a character. */
export const typedInto = "input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea"
const controls = "input, textarea, select"
const ownTime = 3000
let pressedAt = -Infinity

// A click on a button, and a key where nothing is typed, may take something away.
function notePress(event) {
  const isKey = event.ctrlKey || event.metaKey || ["Enter", " ", "Delete", "Backspace"].includes(event.key)
  const isPress =
    event.type === "click" ? !event.target.matches?.(controls) : isKey && !event.target.matches?.(typedInto)
  if (isPress) pressedAt = performance.now()
}
for (const type of ["click", "keydown"]) addEventListener(type, notePress, { capture: true })

// The focus was in something that somebody else has taken away: what is typed on is meant for nothing that is there.
function letGo(parent, wasTypedInto) {
  parent.tabIndex = -1
  parent.focus({ preventScroll: true })
  const swallow = (event) => {
    if (wasTypedInto && event.target === parent && event.key !== "Tab" && event.key !== "Escape") {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  const leave = () => {
    parent.removeEventListener("keydown", swallow)
    parent.removeEventListener("blur", leave)
    parent.removeAttribute("tabindex")
  }
  parent.addEventListener("keydown", swallow)
  parent.addEventListener("blur", leave)
}

/**
 * Changes what is in `parent`, and keeps the focus, and what is being typed, on what has the same `data-key` where the element is
 * gone; where nothing has it, the focus goes to what is in its place, or to `parent` where it was not taken away here.
 */
export function keepFocus(parent, change) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : undefined
  const place = focused && placeOf(parent, focused)
  const bring = focused?.dataset.changing === "yes" ? keepText(focused, change) : change()
  if (!focused || document.activeElement === focused) return
  const key = focused.dataset.key
  const next = focused.isConnected ? focused : key && parent.querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (!next) {
    // A change within this one may have found it a place.
    if (document.activeElement !== document.body) return
    const near = performance.now() - pressedAt < ownTime && neighbour(parent, place)
    if (near) near.focus()
    else letGo(parent, focused.matches(typedInto))
    return
  }
  next.focus()
  bring?.(next)
}

/** Replaces the children, and keeps the focus on the element that has the same `data-key`. */
export function replaceChildren(parent, ...children) {
  keepFocus(parent, () => parent.replaceChildren(...children.flat(3).filter(Boolean)))
}

/**
 * Gives `parent` the children that `build(value)` makes, anew only where `value`, as JSON, is another one than before: what
 * is focused or pressed in them stays.
 */
export function renew(parent, value, build) {
  const now = JSON.stringify(value)
  if (parent.madeOf === now) return
  parent.madeOf = now
  replaceChildren(parent, build(value))
}

/**
 * Gives `parent` these children. Those that it has already are not taken out meanwhile, unless their order is another one: what is
 * held, dragged or typed in them goes on.
 */
export function arrangeChildren(parent, ...children) {
  const wanted = children.flat(3).filter(Boolean)
  const kept = new Set(wanted)
  keepFocus(parent, () => {
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove()
    let next = parent.firstChild
    for (const child of wanted) {
      if (child === next) next = next.nextSibling
      else parent.insertBefore(child, next)
    }
  })
}

/** Things that were made, by their keys, as long as each turn asks for them again. */
export class Kept {
  constructor() {
    this.former = new Map()
    this.present = new Map()
  }

  /** What has this key; made where it was not there the turn before. */
  get(key, make) {
    const kept = this.former.get(key) ?? make()
    this.present.set(key, kept)
    return kept
  }

  /** Forgets what this turn has not asked for, and tells it. */
  endTurn() {
    for (const [key, gone] of this.former) if (!this.present.has(key)) gone.leave?.()
    this.former = this.present
    this.present = new Map()
  }
}

/**
 * Has a button do nothing, or something again. It keeps the focus meanwhile, and keys go on from it; what is `disabled` would lose
 * both.
 */
export const setOff = (button, isOff) => setAttribute(button, "aria-disabled", isOff)

const isOff = (button) => button.getAttribute("aria-disabled") === "true"

/** A button. `label` is read out; what is seen is `shown`, else the icon, else the label. */
export function button({ label, icon, shown, kind = "", pressed, title, key, press, ...rest }) {
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${kind}${icon && !shown ? " icon" : ""}`,
      "aria-label": (icon && !shown) || (shown && shown !== label) ? label : undefined,
      "aria-pressed": pressed,
      title: title ?? (icon && !shown ? label : undefined),
      data: key ? { key } : {},
      on: press ? { click: (event) => isOff(element) || press(event) } : {},
      ...rest,
    },
    icon,
    icon && !shown ? null : h("span", { text: shown ?? label }),
  )
  return element
}

/**
 * A press that takes something away. The second one of a double click is none: by then another thing may be in its place, and the
 * pointer on that one's button. Who goes on clicking means that one too.
 */
export const removing = (press) => (event) => event.detail !== 2 && press(event)

// What buttons that are on or off have asked for, until that is answered.
const asked = new WeakMap()

/**
 * Has a button that is on or off ask for the other one with `ask(isOn)`, and show that at once: who presses again before the program
 * has answered means what was asked for. What is refused, for which the answer is `undefined`, is taken back.
 */
export async function flip(element, ask) {
  const request = { isOn: !(asked.get(element)?.isOn ?? element.getAttribute("aria-pressed") === "true") }
  asked.set(element, request)
  setAttribute(element, "aria-pressed", request.isOn)
  const answer = await ask(request.isOn)
  if (asked.get(element) !== request) return
  asked.delete(element)
  if (answer === undefined) setAttribute(element, "aria-pressed", !request.isOn)
}

/** A field with its label above it. */
export function field(label, control) {
  return h("label", { class: "field" }, h("span", { class: "label", text: label }), control)
}

const grace = 200

/**
 * Keeps what a user chose while it is on its way: states that come before it was done still have the old value. Then the
 * control shows what the server says, whether it did it or not.
 */
export async function hold(control, doing) {
  const turn = {}
  control.held = turn
  await doing
  await new Promise((resolve) => setTimeout(resolve, grace))
  if (control.held !== turn) return
  control.held = undefined
  dispatchEvent(new Event("barline-refresh"))
}

/** A choice among `options`, pairs of value and text. */
export function select(options, { value, change, ...rest } = {}) {
  const element = h(
    "select",
    { class: "select", on: change ? { change: () => hold(element, change(element.value)) } : {}, ...rest },
    options.map(([option, text]) => h("option", { value: option, text })),
  )
  if (value !== undefined) element.value = value
  return element
}

/** A box to tick. */
export function toggle(label, { change, ...rest }) {
  const box = h("input", { type: "checkbox", on: { change: () => hold(box, change(box.checked)) }, ...rest })
  return { box, element: h("label", { class: "switch" }, box, h("span", { text: label })) }
}

/** Ticks a box, or not, unless the user has just done it. */
export function setChecked(box, isChecked) {
  if (!box.held) box.checked = isChecked
}
