import type { ComponentChildren } from 'preact'
import type { Tone } from './tone.ts'

/** Something is on its way: lines as high as what will come, shown only if it takes a moment. */
export function Loading({ label = 'Loading', lines = 6 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div class="loading" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} class="loading-line" />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** A place where nothing is yet: why, and what makes it not empty. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A state in one word. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
