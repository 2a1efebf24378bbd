import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { who } from '../../api.ts'
import { type EditedArguments, editedAs } from '../../forms/arguments-form.tsx'
import { type Field, isSchema } from '../../forms/fields.ts'
import { keepForm, keptForm } from '../../parts/location.ts'
import type { StartedCall } from './types.ts'

/** Content of the form of a call, and the call that was made of it. */
interface CallDraft {
  readonly edited: EditedArguments
  readonly session: string
  readonly answered: { readonly session: string; readonly answer: StartedCall } | null
}

/** Milliseconds without a change before a draft is kept: browsers bound how often the state of a place is set. */
const PAUSE_MS = 150

/** Console session that a draft is kept for: nobody else gets it back. */
const owner = (): string => who.peek()?.id ?? ''

/** Draft of the form of a tool as it was left at this place; null for none. */
export function keptDraft(tool: string, field: Field): CallDraft | null {
  const kept = keptForm(owner())
  if (!isSchema(kept) || kept.tool !== tool || typeof kept.json !== 'string' || !isSchema(kept.args)) return null
  return {
    edited: editedAs(field, kept.json, kept.args),
    session: String(kept.session),
    answered: kept.answered as CallDraft['answered'],
  }
}

/** Leaves arguments for the form of a tool, whose place was just gone to. @param json an object's */
export function leaveDraft(tool: string, json: string, session: string): void {
  keepForm(owner(), { tool, json, args: JSON.parse(json), session, answered: null })
}

/** Keeps the draft of a form with the place that is shown. */
export function useKeptDraft(
  form: RefObject<HTMLElement | null>,
  tool: string,
  { edited, session, answered }: CallDraft,
) {
  const latest = useRef<object>({})
  const place = useRef(location.href)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  latest.current = { tool, json: edited.json, args: edited.args, session, answered }
  const keep = () => {
    clearTimeout(timer.current)
    if (location.href === place.current) keepForm(owner(), latest.current)
  }
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) timer.current = setTimeout(keep, PAUSE_MS)
    isFirst.current = false
    return () => clearTimeout(timer.current)
  }, [edited, session, answered])
  useEffect(() => {
    // A link takes the focus before it is followed.
    const end = new AbortController()
    form.current?.addEventListener('focusout', keep, { signal: end.signal })
    addEventListener('pagehide', keep, { signal: end.signal })
    return () => end.abort()
  }, [])
}
