import { createContext } from 'preact'
import { useContext, useId } from 'preact/hooks'
import { type Draft, firstDraft } from './drafts.ts'
import type { Field, NamedField } from './fields.ts'

interface FieldProps {
  readonly field: Field
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** Words that name the field, where it has none of its own on the page. */
  readonly label: string
  /** Name of the field as problems have it; '' for the whole form. */
  readonly at?: string
  /** Whether it is empty, and must not be. */
  readonly missing?: boolean
}

/** Names of the fields that are marked as missing. */
const Missing = createContext<readonly string[]>([])

interface SchemaFormProps extends FieldProps {
  /** Names of the fields to be marked, as `missingIn` gives them. */
  readonly marked: readonly string[]
}

/** The fields of a schema, with what is in them. */
export function SchemaForm({ field, draft, onDraft, label, marked }: SchemaFormProps) {
  return (
    <div class="schema-form">
      <Missing.Provider value={marked}>
        <Control field={field} draft={draft} onDraft={onDraft} label={label} />
      </Missing.Provider>
    </div>
  )
}

function Control(props: FieldProps) {
  const { field, draft, onDraft, label, missing } = props
  if (draft !== null && typeof draft === 'object' && 'json' in draft) {
    return <JsonText text={draft.json} label={label} onText={(json) => onDraft(json.trim() ? { json } : null)} />
  }
  switch (field.kind) {
    case 'text':
      return (
        <textarea
          class="text-field"
          rows={1}
          aria-label={label}
          aria-invalid={missing}
          placeholder={presetText(field)}
          value={textOf(draft)}
          onInput={(event) => onDraft(event.currentTarget.value || null)}
        />
      )
    case 'number':
      return (
        <input
          class="number-field"
          inputMode={field.whole ? 'numeric' : 'decimal'}
          aria-label={label}
          aria-invalid={missing}
          placeholder={presetText(field)}
          value={textOf(draft)}
          onInput={(event) => onDraft(event.currentTarget.value || null)}
        />
      )
    case 'flag':
      return <Select {...props} options={{ true: 'Yes', false: 'No' }} />
    case 'choice':
      return <Select {...props} options={optionsOf(field.values)} />
    case 'json':
      return <JsonText text={textOf(draft)} label={label} missing={missing} onText={(text) => onDraft(text || null)} />
    case 'list':
      return <List {...props} item={field.item} />
    case 'group':
      return <Group {...props} fields={field.fields} open={field.open} />
    case 'either':
      return <Either {...props} options={field.options} />
  }
}

interface JsonTextProps {
  readonly text: string
  readonly label: string
  readonly missing?: boolean | undefined
  readonly onText: (text: string) => void
}

function JsonText({ text, label, missing, onText }: JsonTextProps) {
  return (
    <textarea
      class="text-field"
      rows={2}
      aria-label={`${label}, as JSON`}
      aria-invalid={missing}
      placeholder="JSON"
      spellcheck={false}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

interface SelectProps extends FieldProps {
  readonly options: Readonly<Record<string, string>>
}

function Select({ field, draft, onDraft, label, missing, options }: SelectProps) {
  const preset = presetText(field)
  return (
    <select
      aria-label={label}
      aria-invalid={missing}
      value={textOf(draft)}
      onChange={(event) => onDraft(event.currentTarget.value || null)}
    >
      <option value="">{preset ? `Not given: ${preset}` : 'Not given'}</option>
      {Object.entries(options).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  )
}

function List({ draft, onDraft, label, at: path = '', item }: FieldProps & { readonly item: Field }) {
  const items = draft !== null && typeof draft === 'object' && 'items' in draft ? draft.items : []
  const become = (next: readonly Draft[]) => onDraft(next.length > 0 ? { items: next } : null)
  const isWide = item.kind === 'group' || item.kind === 'either'
  return (
    <div class="form-list">
      {items.map((one, at) => (
        <div key={at} class={isWide ? 'form-item wide-item' : 'form-item'}>
          <Control
            field={item}
            draft={one}
            label={`${label} ${at + 1}`}
            at={`${path}[${at}]`}
            onDraft={(changed) => become(items.with(at, changed))}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Take ${label} ${at + 1} away`}
            onClick={() => become(items.toSpliced(at, 1))}
          >
            ✕
          </button>
        </div>
      ))}
      <button type="button" class="add" onClick={() => become([...items, firstDraft(item) ?? emptyOf(item)])}>
        Add {items.length === 0 ? 'one' : 'another'}
      </button>
    </div>
  )
}

/** A text that was added to a list is there, though it is empty. */
const emptyOf = (item: Field): Draft => (item.kind === 'text' ? '' : null)

interface GroupProps extends FieldProps {
  readonly fields: readonly NamedField[]
  readonly open: boolean
}

function Group({ field, draft, onDraft, label, at: path = '', fields }: GroupProps) {
  const given = draft !== null && typeof draft === 'object' && 'parts' in draft ? draft : null
  const parts = given?.parts ?? fields.map(() => null)
  const rest = given?.rest ?? ''
  const become = (next: readonly Draft[], further: string) =>
    onDraft(next.every((part) => part === null) && !further ? null : { parts: next, rest: further })
  return (
    <div class="form-group">
      {fields.map((one, at) => (
        <Named
          key={one.name}
          named={one}
          at={path ? `${path}.${one.name}` : one.name}
          draft={parts[at] ?? null}
          onDraft={(changed) => become(parts.with(at, changed), rest)}
        />
      ))}
      {fields.length === 0 && !rest && <p class="soft">{field.about || 'Nothing has to be said.'}</p>}
      {rest && (
        <div class="form-field">
          <span class="form-name">Further fields</span>
          <JsonText text={rest} label={`${label}: further fields`} onText={(text) => become(parts, text)} />
        </div>
      )}
    </div>
  )
}

interface NamedProps {
  readonly named: NamedField
  readonly at: string
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

function Named({ named: { name, required, field }, at, draft, onDraft }: NamedProps) {
  const help = useId()
  const isNested = ['group', 'either', 'list'].includes(field.kind)
  const missing = useContext(Missing).includes(at)
  return (
    <fieldset
      class={missing ? 'form-field missing' : 'form-field'}
      aria-label={name}
      aria-describedby={field.about ? help : undefined}
    >
      <span class="form-name">
        <code>{name}</code>
        {required && <span class="soft"> required</span>}
      </span>
      <div class={isNested ? 'form-nested' : undefined}>
        <Control field={field} draft={draft} onDraft={onDraft} label={name} at={at} missing={missing} />
      </div>
      {missing && <span class="missing-words">Fill this in before you call.</span>}
      {field.about && (
        <span id={help} class="field-help">
          {field.about}
        </span>
      )}
    </fieldset>
  )
}

interface EitherProps extends FieldProps {
  readonly options: readonly { readonly label: string; readonly field: Field }[]
}

function Either({ draft, onDraft, label, at: path = '', missing, options }: EitherProps) {
  const chosen = draft !== null && typeof draft === 'object' && 'option' in draft ? draft : null
  const option = chosen ? options[chosen.option] : undefined
  const choose = (text: string) => {
    const next = options[Number(text)]
    if (text === '' || !next) return onDraft(null)
    onDraft({ option: Number(text), draft: firstDraft(next.field) })
  }
  return (
    <div class="form-either">
      <select
        aria-label={`Kind of ${label}`}
        aria-invalid={missing}
        value={chosen ? String(chosen.option) : ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">Not given</option>
        {options.map((one, at) => (
          <option key={at} value={String(at)}>
            {one.label}
          </option>
        ))}
      </select>
      {chosen && option && (
        <Control
          field={option.field}
          draft={chosen.draft}
          label={label}
          at={path}
          onDraft={(changed) => onDraft({ option: chosen.option, draft: changed })}
        />
      )}
    </div>
  )
}

function optionsOf(values: readonly unknown[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.map((value) => [JSON.stringify(value), typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '')

function presetText({ preset }: Field): string {
  if (preset === undefined || preset === null) return ''
  return typeof preset === 'string'
    ? preset
    : typeof preset === 'boolean'
      ? preset
        ? 'yes'
        : 'no'
      : JSON.stringify(preset)
}
