import type { TextViewProps } from './text-view.ts'
import { tokensOf } from './tokens.ts'

/** Lines that are drawn; a longer file is downloaded. */
const LINES_MAX = 5_000
/** Characters that are coloured: colours of more would take longer than reading it. */
const COLOURED_MAX = 200_000

/** Text with numbers of lines, and colours where its language is known. */
export function Source({ text, ending }: TextViewProps) {
  const lines = text.split('\n', LINES_MAX + 1)
  const cut = lines.length > LINES_MAX
  const shown = cut ? `${lines.slice(0, LINES_MAX).join('\n')}\n` : text
  // A newline at the end ends the last line, and begins none.
  const count = Math.min(lines.length - (text.endsWith('\n') && !cut ? 1 : 0), LINES_MAX)
  const numbers = Array.from({ length: count }, (_, at) => at + 1).join('\n')
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="source" aria-label="Text of the file" tabIndex={0}>
        <pre aria-hidden="true" class="line-numbers">
          {numbers}
        </pre>
        <pre>
          {shown.length > COLOURED_MAX
            ? shown
            : tokensOf(shown, ending).map(({ text, kind }, at) =>
                kind ? (
                  <span key={at} class={`token-${kind}`}>
                    {text}
                  </span>
                ) : (
                  text
                ),
              )}
        </pre>
      </section>
      {cut && <p class="soft">The first {LINES_MAX} lines. Download the file for the rest.</p>}
    </>
  )
}
