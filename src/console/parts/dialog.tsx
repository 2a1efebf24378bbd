import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over the page; Escape and its button close it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Not in an effect: when a menu closes over what has the focus, the browser takes it away before.
  const before = useRef(document.activeElement).current
  useEffect(() => {
    element.current?.showModal()
    return () => {
      // The opener may be in a menu that was closed meanwhile.
      const back = before?.checkVisibility() ? before : before?.closest('details')?.querySelector('summary')
      if (back instanceof HTMLElement) back.focus()
    }
  }, [])
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}
