import { signal } from '@preact/signals'
import { Fragment } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

/** Meaning of a key: its words in the help, and the action. */
export interface KeyAction {
  readonly label: string
  /** Left out: the browser or a field does it by itself, and it stands in the help alone. */
  readonly run?: () => void
  /** Whether it means this now, such as where the focus is; else an earlier component's meaning holds. Left out: always. */
  readonly when?: () => boolean
}

/** Keys by what `KeyboardEvent.key` says of them; with `Ctrl+` before it in the help alone. */
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
    const means = (table: KeyTable) => table[event.key]?.when?.() ?? event.key in table
    const run = tables.value.findLast(means)?.[event.key]?.run
    if (!run) return
    event.preventDefault()
    run()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Keys that do the same, in one line. */
function merged(actions: readonly (KeyAction & { readonly key: string })[]) {
  const keys = new Map<string, string[]>()
  for (const { key, label } of actions) keys.set(label, [...(keys.get(label) ?? []), key])
  return [...keys].map(([label, keys]) => ({ label, keys }))
}

/** Opens the list of keys. */
export function showKeyHelp(): void {
  helpShown.value = true
}

/** The list of keys that mean something now, when `?` asked for it. */
export function KeyHelp() {
  if (!helpShown.value) return null
  // Of two meanings without a condition the later one holds.
  const all = new Map(
    tables.value.flatMap((table) =>
      Object.entries(table).map(([key, action]) => [`${key} ${action.when ? action.label : ''}`, { key, ...action }]),
    ),
  )
  return (
    <Dialog title="Keys" onClose={() => (helpShown.value = false)}>
      <dl class="keys">
        {merged([...all.values()]).map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((key, at) => (
                <Fragment key={key}>
                  {at > 0 && ' or '}
                  <Key name={key} />
                </Fragment>
              ))}
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

/** A key, or keys that are held together. */
function Key({ name }: { readonly name: string }) {
  const keys = name.split('+')
  return (
    <>
      {keys.map((key, at) => (
        <Fragment key={key}>
          {at > 0 && ' + '}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </>
  )
}
