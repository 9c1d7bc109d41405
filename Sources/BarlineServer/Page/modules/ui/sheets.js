// Style sheets that lie beside the modules that they are for.

// It adapts all that others say to the screen, and so comes last.
const last = 'link[href="/styles/screens.css"]'

/** Adds style sheets to the page; done when they apply, or can't be had. */
export function addSheets(addresses) {
  return Promise.all(
    addresses.map(
      (address) =>
        new Promise((resolve) => {
          const link = document.createElement("link")
          link.rel = "stylesheet"
          link.addEventListener("load", resolve)
          link.addEventListener("error", resolve)
          link.href = address
          document.querySelector(last).before(link)
        }),
    ),
  )
}
