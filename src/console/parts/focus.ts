/**
 * Moves the focus into a page that was gone to: to the field that wants it, else to the heading, from where a screen reader goes on. Where the
 * focus is in the page already, such as at a row of a list, it stays.
 */
export function focusPage(): void {
  const main = document.getElementById('main')
  const active = document.activeElement
  if (!main || document.querySelector('dialog[open]') || (active !== main && main.contains(active))) return
  const heading = main.querySelector('h1')
  if (heading) heading.tabIndex = -1
  const field = main.querySelector<HTMLElement>('[autofocus]')
  ;(field ?? heading ?? main).focus({ preventScroll: true })
}

/** Elements around a button that take the focus when it goes. */
const PLACES = 'article, section, li, details, nav, form, main'
/** Milliseconds for which an element may stay until it goes with what is done. */
const GOES_MS = 10_000

/**
 * Keeps the focus near an element that may go with what is done to it, such as a button: at the innermost place around it that stays. Without it
 * the next Tab would begin at the top of the page.
 */
export function keepFocus(element: Element | null): void {
  const around: HTMLElement[] = []
  for (let one = element?.parentElement; one; one = one.parentElement) if (one.matches(PLACES)) around.push(one)
  const watcher = new MutationObserver(() => {
    if (element?.isConnected) return
    end()
    // What comes in its place may want the focus, and takes it first.
    requestAnimationFrame(() => {
      const stays = around.find((one) => one.isConnected)
      if (!stays || (document.activeElement && document.activeElement !== document.body)) return
      if (!stays.hasAttribute('tabindex')) stays.tabIndex = -1
      stays.focus({ preventScroll: true })
    })
  })
  const timer = setTimeout(() => watcher.disconnect(), GOES_MS)
  const end = () => {
    clearTimeout(timer)
    watcher.disconnect()
  }
  watcher.observe(document.body, { childList: true, subtree: true })
}
