// Dark for the stage, light for daylight: as the system has it, or as the user chose.

const key = "barline.theme"
const prefersLight = window.matchMedia("(prefers-color-scheme: light)")

/** `auto`, `dark` or `light`. */
export function theme() {
  return localStorage.getItem(key) ?? "auto"
}

/** Shows the theme that is chosen. */
export function applyTheme() {
  const chosen = theme()
  const shown = chosen === "auto" ? (prefersLight.matches ? "light" : "dark") : chosen
  document.documentElement.dataset.theme = shown
  dispatchEvent(new Event("barline-refresh"))
}

/** Chooses a theme. */
export function setTheme(chosen) {
  localStorage.setItem(key, chosen)
  applyTheme()
}

prefersLight.addEventListener("change", applyTheme)
