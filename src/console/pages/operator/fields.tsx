import { textOf } from '../../parts/form.tsx'
import type { Internet } from './types.ts'

const INTERNET = { all: 'The public internet', none: 'Nothing', hosts: 'These hosts alone' }

interface InternetFieldProps {
  readonly label: string
  readonly name: string
  readonly value: Internet
}

/** Internet of sandboxes: all of it, none, or hosts by name. */
export function InternetField({ label, name, value }: InternetFieldProps) {
  const hosts = typeof value === 'boolean' ? '' : value.join(', ')
  return (
    <fieldset class="stack">
      <legend>{label}</legend>
      <Options
        label="Reaches"
        name={name}
        options={INTERNET}
        value={typeof value === 'boolean' ? (value ? 'all' : 'none') : 'hosts'}
      />
      <label class="field hosts-field">
        Hosts
        <input name={`${name}-hosts`} defaultValue={hosts} placeholder="pypi.org, *.example.org" spellcheck={false} />
      </label>
    </fieldset>
  )
}

/** Policy of the fields of {@link InternetField}. */
export function internetOf(fields: FormData, name: string): Internet {
  const kind = textOf(fields, name)
  if (kind !== 'hosts') return kind !== 'none'
  return textOf(fields, `${name}-hosts`).split(/[\s,]/).filter(Boolean)
}

/** Words for a policy. */
export const internetText = (internet: Internet): string =>
  typeof internet === 'boolean' ? (internet ? 'the public internet' : 'nothing') : internet.join(', ')

const JURISDICTIONS = { '': 'Anywhere', eu: 'European Union', us: 'United States', fedramp: 'FedRAMP' }
const LOCATIONS = {
  '': 'Where its first request comes from',
  wnam: 'Western North America',
  enam: 'Eastern North America',
  sam: 'South America',
  weur: 'Western Europe',
  eeur: 'Eastern Europe',
  apac: 'Asia-Pacific',
  oc: 'Oceania',
  afr: 'Africa',
  me: 'Middle East',
}

/** Where data of a tenant stays, and near which place it is made. */
export function PlaceFields() {
  return (
    <>
      <Options
        label="Its data stays in"
        name="jurisdiction"
        options={JURISDICTIONS}
        help="It never changes, and needs a bucket there."
      />
      <Options
        label="It is made near"
        name="location_hint"
        options={LOCATIONS}
        help="A wish, and no promise. It never changes."
      />
    </>
  )
}

interface OptionsProps {
  readonly label: string
  readonly name: string
  /** Values and their words. */
  readonly options: Readonly<Record<string, string>>
  readonly value?: string
  readonly help?: string
}

/** A field of few values. */
export function Options({ label, name, options, value = '', help }: OptionsProps) {
  return (
    <label class="field">
      {label}
      <select name={name}>
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={key} selected={key === value}>
            {words}
          </option>
        ))}
      </select>
      {help && <span class="field-help">{help}</span>}
    </label>
  )
}

/** Text of a field; undefined for an empty one. */
export const givenOf = (fields: FormData, name: string): string | undefined => textOf(fields, name) || undefined

/** Words for where data of a tenant stays. */
export const placeText = (place: string | null, none: string): string =>
  place === null ? none : ({ ...JURISDICTIONS, ...LOCATIONS }[place] ?? place)
