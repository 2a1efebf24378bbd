import { useEffect } from 'preact/hooks'
import { Copy } from './action.tsx'

interface ShownOnceProps {
  /** Name of the secret, such as `Key`. */
  readonly label: string
  readonly secret: string
  readonly onDone: () => void
}

/** A secret that the server shows this once; it is in no address, and gone when the page is left. */
export function ShownOnce({ label, secret, onDone }: ShownOnceProps) {
  // A browser may keep a page as it is for the way back: the page is loaded anew then, without the secret.
  useEffect(() => {
    const anew = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', anew)
    return () => removeEventListener('pageshow', anew)
  }, [])
  return (
    <section class="panel stack shown-once" aria-label={label}>
      <p>
        <strong>Copy it now.</strong> Nobody can read it again: lose it, and you need a new one.
      </p>
      <code class="secret">{secret}</code>
      <div class="row-actions">
        <Copy text={secret} />
        <button type="button" onClick={onDone}>
          I have it
        </button>
      </div>
    </section>
  )
}
