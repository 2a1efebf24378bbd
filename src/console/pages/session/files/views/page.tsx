import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TextViewProps } from './text-view.ts'

/** First of all in the page: opened by its address in a tab of its own, outside the frame, it still runs and fetches nothing. */
const GUARD = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${[
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
].join('; ')}">`

/** A page of somebody else: in a frame of no origin, which runs no script, sends no form and opens nothing. */
export function Page({ text }: TextViewProps) {
  const address = useSignal('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([GUARD, text], { type: 'text/html;charset=utf-8' }))
    address.value = made
    return () => URL.revokeObjectURL(made)
  }, [text])
  return address.value ? <iframe class="page-frame" title="The page" sandbox="" src={address.value} /> : null
}
