import type { RefObject } from 'preact'
import { type EditedArguments, editedAs } from '../../forms/arguments-form.tsx'
import { type Field, isSchema } from '../../forms/fields.ts'
import { leaveForm, leftForm, useKeptForm } from '../../parts/kept-form.ts'
import type { StartedCall } from './types.ts'

/** Content of the form of a call, and the call that was made of it. */
interface CallDraft {
  readonly edited: EditedArguments
  readonly session: string
  readonly answered: { readonly session: string; readonly answer: StartedCall } | null
}

/** Draft of the form of a tool as it was left at this place; null for none. */
export function keptDraft(tool: string, field: Field): CallDraft | null {
  const kept = leftForm()
  if (!isSchema(kept) || kept.tool !== tool || typeof kept.json !== 'string' || !isSchema(kept.args)) return null
  return {
    edited: editedAs(field, kept.json, kept.args),
    session: String(kept.session),
    answered: kept.answered as CallDraft['answered'],
  }
}

/** Leaves arguments for the form of a tool, whose place was just gone to. @param json an object's */
export function leaveDraft(tool: string, json: string, session: string): void {
  leaveForm({ tool, json, args: JSON.parse(json), session, answered: null })
}

/** Keeps the draft of a form with the place that is shown. */
export function useKeptDraft(
  form: RefObject<HTMLElement | null>,
  tool: string,
  { edited, session, answered }: CallDraft,
) {
  useKeptForm(form, { tool, json: edited.json, args: edited.args, session, answered }, [edited, session, answered])
}
