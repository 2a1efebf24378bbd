import type { ComponentChildren } from 'preact'

interface TextProps {
  readonly class?: string
  readonly live?: 'polite' | undefined
  readonly children: ComponentChildren
}

/** Text as it is, each line a line. It scrolls where it is long, by keyboard too. */
export function Text({ class: name = 'text', live, children }: TextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre class={name} aria-live={live} tabIndex={0}>
      {children}
    </pre>
  )
}
