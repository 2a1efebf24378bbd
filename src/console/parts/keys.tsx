import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

/** What a key does: its words in the help, and the action. */
export interface KeyAction {
  readonly label: string
  readonly run: () => void
}

/** Keys by what `KeyboardEvent.key` says of them. */
type KeyTable = Readonly<Record<string, KeyAction>>

const tables = signal<readonly KeyTable[]>([])
const helpShown = signal(false)

/** Keys that mean something while the calling component is shown. A later component's keys win. */
export function useKeys(table: KeyTable): void {
  useLayoutEffect(() => {
    tables.value = [...tables.peek(), table]
    return () => {
      tables.value = tables.peek().filter((other) => other !== table)
    }
  })
}

/** Acts on keys of all shown components, unless somebody is typing, a dialog is open, or a modifier is held. */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    if (event.key === '?') {
      helpShown.value = true
      return
    }
    const action = tables.value.findLast((table) => table[event.key])?.[event.key]
    if (!action) return
    event.preventDefault()
    action.run()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Opens the list of keys. */
export function showKeyHelp(): void {
  helpShown.value = true
}

/** The list of keys that mean something now, when `?` asked for it. */
export function KeyHelp() {
  if (!helpShown.value) return null
  const all = new Map(tables.value.flatMap((table) => Object.entries(table)))
  return (
    <Dialog title="Keys" onClose={() => (helpShown.value = false)}>
      <dl class="keys">
        {[...all].map(([key, { label }]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This list</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close</dd>
        </div>
      </dl>
    </Dialog>
  )
}
