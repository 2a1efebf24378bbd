import { useMemo } from 'preact/hooks'
import { type AnsiRun, ansiRunsOf } from './ansi-runs.ts'

/** Text of a terminal with its colours and weights. */
export function AnsiText({ text }: { readonly text: string }) {
  return useMemo(() => <AnsiRuns runs={ansiRunsOf(text)} />, [text])
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
