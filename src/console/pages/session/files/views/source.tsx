import { useMemo } from 'preact/hooks'
import type { TextViewProps } from './text-view.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Lines that are drawn; a longer file is downloaded. */
const LINES_MAX = 5_000
/** Characters that are coloured: colours of more would take longer than reading it. */
const COLOURED_MAX = 200_000

/** Text with numbers of lines, and colours where its language is known. */
export function Source({ text, ending }: TextViewProps) {
  const { shown, tokens, isCut } = useMemo(() => {
    const lines = text.split('\n', LINES_MAX + 1)
    const isCut = lines.length > LINES_MAX
    const shown = isCut ? `${lines.slice(0, LINES_MAX).join('\n')}\n` : text
    const tokens: readonly Token[] =
      shown.length > COLOURED_MAX ? [{ text: shown, kind: null }] : tokensOf(shown, ending)
    return { shown, tokens, isCut }
  }, [text, ending])
  return (
    <>
      <SourceLines text={shown} tokens={tokens} />
      {isCut && <p class="soft">The first {LINES_MAX} lines. Download the file for the rest.</p>}
    </>
  )
}

interface SourceLinesProps {
  readonly text: string
  /** Pieces of the text. */
  readonly tokens: readonly Token[]
}

/** Lines of source with their numbers. */
export function SourceLines({ text, tokens }: SourceLinesProps) {
  // A newline at the end ends the last line, and begins none.
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="source" aria-label="Text of the file" tabIndex={0}>
      <pre aria-hidden="true" class="line-numbers">
        {Array.from({ length: count }, (_, at) => at + 1).join('\n')}
      </pre>
      <pre>
        {tokens.map(({ text, kind }, at) =>
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
  )
}
