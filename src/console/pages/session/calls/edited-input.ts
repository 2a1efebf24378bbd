import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isSchema } from '../../../forms/fields.ts'
import { keepNewest } from '../../../parts/keep-newest.ts'
import { leftForm, useKeptForm } from '../../../parts/kept-form.ts'

/** Calls whose edited arguments are remembered while the console is open. */
const EDITED_MAX = 50
/** Edited arguments by call. */
const edited = new Map<string, string>()

/**
 * Arguments of a call as somebody edits them. On the way back to the call they are as they were left, whichever way that is, and after a
 * reload.
 * @param given the arguments as the call had them
 */
export function useEditedInput(field: RefObject<HTMLElement | null>, call: string, given: string): Signal<string> {
  const text = useSignal(edited.get(call) ?? leftInput(call) ?? given)
  useKeptForm(field, { call, input: text.value }, [text.value])
  useEffect(() => {
    if (text.value === given) edited.delete(call)
    else keepNewest(edited, call, text.value, EDITED_MAX)
  }, [text.value])
  return text
}

function leftInput(call: string): string | null {
  const left = leftForm()
  return isSchema(left) && left.call === call && typeof left.input === 'string' ? left.input : null
}
