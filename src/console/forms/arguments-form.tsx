import { useSignal } from '@preact/signals'
import { type Draft, draftOf, madeOf, missingIn } from './drafts.ts'
import { type Field, isSchema } from './fields.ts'
import { SchemaForm } from './schema-form.tsx'

/** Arguments as they are edited, in fields and as JSON, both in step. */
export interface EditedArguments {
  readonly draft: Draft
  /** The JSON as it stands in its field, good or not. */
  readonly json: string
  /** The last arguments that could be read. */
  readonly args: Readonly<Record<string, unknown>>
  /** Why these are not yet arguments; none where they can be sent. */
  readonly problems: readonly string[]
}

/** Arguments as they are before anything is edited. */
export function editedOf(field: Field, args: Readonly<Record<string, unknown>>): EditedArguments {
  return { draft: draftOf(field, args), json: JSON.stringify(args, null, 2), args, problems: [] }
}

/** Arguments as they were edited before: their JSON as it stood, good or not, and the last that could be read. */
export const editedAs = (field: Field, json: string, args: Readonly<Record<string, unknown>>): EditedArguments =>
  editedByJson(field, json, editedOf(field, args))

function editedByFields(field: Field, draft: Draft, before: EditedArguments): EditedArguments {
  const { value = {}, problems } = madeOf(field, draft)
  if (!isSchema(value)) return { ...before, draft, problems: ['Arguments have to be an object'] }
  return { draft, json: JSON.stringify(value, null, 2), args: value, problems }
}

function editedByJson(field: Field, json: string, before: EditedArguments): EditedArguments {
  try {
    const value: unknown = json.trim() ? JSON.parse(json) : {}
    if (!isSchema(value)) return { ...before, json, problems: ['Arguments have to be an object: { … }'] }
    return { draft: draftOf(field, value), json, args: value, problems: [] }
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    return { ...before, json, problems: [`This is no JSON yet: ${why}`] }
  }
}

/** Names of required arguments that are missing. */
export const missingOf = (field: Field, { draft }: EditedArguments): readonly string[] => missingIn(field, draft)

interface ArgumentsFormProps {
  readonly field: Field
  readonly edited: EditedArguments
  /** Names of missing arguments that are marked. */
  readonly marked: readonly string[]
  readonly onEdit: (edited: EditedArguments) => void
}

/** Arguments of a tool in fields made of its schema, or as JSON; what is changed in one is changed in the other. */
export function ArgumentsForm({ field, edited, marked, onEdit }: ArgumentsFormProps) {
  const asJson = useSignal(field.kind === 'json' || edited.problems.length > 0)
  const choice = (label: string, json: boolean) => (
    <button type="button" aria-pressed={asJson.value === json} onClick={() => (asJson.value = json)}>
      {label}
    </button>
  )
  return (
    <div class="stack">
      <div class="row-actions">
        <h2>Arguments</h2>
        <fieldset class="two-ways" aria-label="Way to edit">
          {choice('Form', false)}
          {choice('JSON', true)}
        </fieldset>
      </div>
      {asJson.value ? (
        <textarea
          aria-label="Arguments as JSON"
          aria-invalid={marked.length > 0}
          class="text-field json-field"
          rows={Math.min(24, Math.max(6, edited.json.split('\n').length + 1))}
          spellcheck={false}
          value={edited.json}
          onInput={(event) => onEdit(editedByJson(field, event.currentTarget.value, edited))}
        />
      ) : (
        <SchemaForm
          field={field}
          draft={edited.draft}
          label="Arguments"
          marked={marked}
          onDraft={(draft) => onEdit(editedByFields(field, draft, edited))}
        />
      )}
      {asJson.value && marked.length > 0 && <p class="missing-words">Still missing: {marked.join(', ')}</p>}
      {edited.problems.length > 0 && (
        <ul class="form-problems" role="status">
          {edited.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
