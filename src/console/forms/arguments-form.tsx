import { useSignal } from '@preact/signals'
import { type Draft, draftOf, madeOf } from './drafts.ts'
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

interface ArgumentsFormProps {
  readonly field: Field
  readonly edited: EditedArguments
  readonly onEdit: (edited: EditedArguments) => void
}

/** Arguments of a tool in fields made of its schema, or as JSON; what is changed in one is changed in the other. */
export function ArgumentsForm({ field, edited, onEdit }: ArgumentsFormProps) {
  const asJson = useSignal(field.kind === 'json')
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
          onDraft={(draft) => onEdit(editedByFields(field, draft, edited))}
        />
      )}
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
