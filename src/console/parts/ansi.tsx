import { useLayoutEffect, useMemo } from 'preact/hooks'
import { type AnsiRun, ansiRunsOf } from './ansi-runs.ts'
import { useEachFrame } from './each-frame.ts'

interface AnsiTextProps {
  readonly text: string
  /** Called whenever more of the text was drawn. */
  readonly onDrawn?: () => void
}

/** Text of a terminal with its colours and weights, drawn once a frame while it changes. */
export function AnsiText({ text, onDrawn }: AnsiTextProps) {
  const drawn = useEachFrame(text)
  useLayoutEffect(() => onDrawn?.(), [drawn])
  return useMemo(() => <AnsiRuns runs={ansiRunsOf(drawn)} />, [drawn])
}

/** Runs of a terminal's text. */
export function AnsiRuns({ runs }: { readonly runs: readonly AnsiRun[] }) {
  return (
    <>
      {runs.map(({ text, look }, at) =>
        look ? (
          <span key={at} class={look}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  )
}
