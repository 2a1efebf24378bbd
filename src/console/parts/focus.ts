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
