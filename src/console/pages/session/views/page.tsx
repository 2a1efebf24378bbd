import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TextViewProps } from './text-view.ts'

/** A page of somebody else: in a frame of no origin, which runs no script, sends no form and opens nothing. */
export function Page({ text }: TextViewProps) {
  const address = useSignal('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/html;charset=utf-8' }))
    address.value = made
    return () => URL.revokeObjectURL(made)
  }, [text])
  return address.value ? <iframe class="page-frame" title="The page" sandbox="" src={address.value} /> : null
}
