import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import {
  MAX_FIRST_FILES,
  MAX_LIFETIME_SECONDS,
  MAX_REQUIREMENTS,
  MAX_SESSION_NAME_BYTES,
  MAX_SESSION_TITLE_CHARS,
  MIN_LIFETIME_SECONDS,
} from '../../../../core/limits/sessions.ts'
import {
  MAX_LABEL_FILTERS,
  MAX_LABEL_KEY_CHARS,
  MAX_LABEL_VALUE_CHARS,
  MAX_LABELS,
  MAX_LISTED_SESSIONS,
} from '../../../../core/limits/tenants.ts'
import { fewEntries } from '../../../../core/safe-read.ts'
import type { Lifetimes } from '../../../../core/session-settings.ts'
import { CODE_RUN_DIR, LOGS_DIR, UPLOAD_DIR, VENV_DIR } from '../../../../core/task-layout.ts'
import { sessionInternet, type TenantInternet } from '../../../../core/tenant-internet.ts'
import type { SessionChanges, SessionSpec } from '../../../../session/api.ts'
import type { SessionPlace, SessionQuery } from '../../../../tenant/api.ts'
import { decodeInternet, InternetInput } from '../../../internet-policy.ts'
import { pageQuery } from '../../../operations/page.ts'
import { specifiers } from '../../../specifiers.ts'
import { State } from './sessions-codec.ts'

const Title = z.string().max(MAX_SESSION_TITLE_CHARS).meta({ description: 'A label that people read.' })
const Lifetime = z.int().min(MIN_LIFETIME_SECONDS).max(MAX_LIFETIME_SECONDS).nullable().optional()
const TOTAL_LIFETIME = 'Seconds from its creation after which the session is deleted with its files; null for no end.'
const IDLE_LIFETIME =
  'Seconds without a call, a change of a file or of the session after which it is deleted with its files; null for no end.'
const NewLifetime = (description: string) =>
  Lifetime.meta({ description: `${description} Left out: as the server's owner set it for the tenant, else no end.` })
const Internet = InternetInput.nullable().optional().meta({
  description:
    'False: commands in the sandbox reach no network at all. A list of names, such as ["pypi.org", "*.example.org"]: they reach these hosts alone, by HTTP and HTTPS. Null: as the tenant\'s default says, and so for a new session that leaves it out. No more than the tenant\'s ceiling. What tools of the server fetch for a call is not covered.',
})

const LabelKey = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/, 'a key has letters, digits, ".", "_", "-" and "/"')
  .max(MAX_LABEL_KEY_CHARS)
const LabelValue = z
  .string()
  .regex(/^[^,\p{Cc}\p{Cs}]*$/u, 'a value has no comma and no control character')
  .max(MAX_LABEL_VALUE_CHARS)
const Labels = fewEntries(z.record(LabelKey, LabelValue), MAX_LABELS, 'MAX_LABELS')
const ChangedLabels = fewEntries(z.record(LabelKey, LabelValue.nullable()), 2 * MAX_LABELS, 'MAX_LABELS')

export const NewSession = z
  .strictObject({
    name: z.string().min(1).max(MAX_SESSION_NAME_BYTES).optional().meta({
      description: 'The name in paths, which never changes. Left out: an id that begins with ses_.',
    }),
    title: Title.optional(),
    requirements: z.array(z.string().min(1).max(1_000)).max(MAX_REQUIREMENTS).optional().meta({
      description: 'Python packages as pip takes them, such as "pandas>=2": installed into each new sandbox.',
    }),
    directories: z.array(z.string().min(1)).max(MAX_FIRST_FILES).optional(),
    files: z
      .array(z.strictObject({ path: z.string().min(1), text: z.string() }))
      .max(MAX_FIRST_FILES)
      .optional()
      .meta({ description: 'Text files to begin with, by paths below the session directory.' }),
    internet: Internet,
    lifetime_seconds: NewLifetime(TOTAL_LIFETIME),
    idle_lifetime_seconds: NewLifetime(IDLE_LIFETIME),
    labels: Labels.optional(),
  })
  .meta({ id: 'NewSession' })

export const ChangedSession = z
  .strictObject({
    title: Title.optional(),
    labels: ChangedLabels.optional().meta({ description: 'Merged into those there are; null removes one.' }),
    lifetime_seconds: Lifetime.meta({ description: TOTAL_LIFETIME }),
    idle_lifetime_seconds: Lifetime.meta({ description: IDLE_LIFETIME }),
    internet: Internet,
  })
  .meta({ id: 'ChangedSession' })

/** Longest cursor: a time and a session's name. */
const MAX_CURSOR_CHARS = 17 + MAX_SESSION_NAME_BYTES

export const ListQuery = z.strictObject({
  ...pageQuery(MAX_LISTED_SESSIONS),
  cursor: z
    .string()
    .min(1)
    .max(MAX_CURSOR_CHARS)
    .optional()
    .meta({ description: 'The next_cursor of the page before.' }),
  state: State.optional().meta({ description: 'Sessions in this state alone.' }),
  labels: z
    .string()
    .max(MAX_LABEL_FILTERS * (MAX_LABEL_KEY_CHARS + MAX_LABEL_VALUE_CHARS + 2))
    .optional()
    .meta({
      description: `Labels that the sessions have, all of them, as key:value with commas between: env:test,team:a. At most ${MAX_LABEL_FILTERS}.`,
    }),
})

export const CreateQuery = z.strictObject({
  if_exists: z.enum(['fail', 'return']).optional().meta({
    description: '`return` answers 200 with a session of that name as it is; otherwise that is a conflict.',
  }),
})

export const PauseQuery = z.strictObject({
  force: z.enum(['true', 'false']).optional().meta({ description: '`true` cancels running calls first.' }),
})

const ms = (seconds: number | null) => (seconds === null ? null : seconds * 1_000)

/** A new session. @throws FailureError `invalid_input` for a requirement that is none, or that could not be installed */
export function decodeNew(name: string, input: z.output<typeof NewSession>, policies: TenantInternet): SessionSpec {
  const { title = name, requirements = [], directories = [], files = [], labels = {} } = input
  const internet = decodeOwnInternet(input.internet)
  if (requirements.length > 0 && sessionInternet(internet, policies) === false) {
    fail(
      'invalid_input',
      internet === false
        ? 'requirements: pip reaches no package index with "internet": false; allow it, or leave the requirements out and bring the packages as files'
        : 'requirements: pip reaches no package index, since sessions of your tenant have no network; leave the requirements out, and bring the packages as files',
    )
  }
  const settings = { labels, internet, ...decodeLifetimes(input) }
  const isUsual = JSON.stringify(settings) === JSON.stringify({ labels: {}, internet: null })
  return {
    title,
    requirements: requirements.flatMap((text) => specifiers(text)),
    directories: [...new Set([UPLOAD_DIR, CODE_RUN_DIR, VENV_DIR, LOGS_DIR, ...directories])],
    files,
    ...(!isUsual && { settings }),
  }
}

export function decodeChanges(input: z.output<typeof ChangedSession>): SessionChanges {
  const { title, labels, internet } = input
  return {
    ...(title !== undefined && { title }),
    ...(labels && { labels }),
    ...decodeLifetimes(input),
    ...(internet !== undefined && { internet: decodeOwnInternet(internet) }),
  }
}

/** Lifetimes that a body names; null is one of them. */
const decodeLifetimes = ({
  lifetime_seconds,
  idle_lifetime_seconds,
}: Pick<z.output<typeof ChangedSession>, 'lifetime_seconds' | 'idle_lifetime_seconds'>): Partial<Lifetimes> => ({
  ...(lifetime_seconds !== undefined && { lifetimeMs: ms(lifetime_seconds) }),
  ...(idle_lifetime_seconds !== undefined && { idleLifetimeMs: ms(idle_lifetime_seconds) }),
})

/** Policy of the session's own; null for that of its tenant. @throws FailureError `invalid_input` for a host that is none */
export const decodeOwnInternet = (internet: z.output<typeof Internet>) =>
  internet === undefined || internet === null ? null : decodeInternet(internet)

/** Query of a list. @throws FailureError `invalid_input` for labels that are none, or a cursor of no list */
export function decodeQuery({ limit, cursor, state, labels }: z.output<typeof ListQuery>): SessionQuery {
  const wanted = labels ? labels.split(',').map(decodeLabel) : []
  if (wanted.length > MAX_LABEL_FILTERS)
    fail('invalid_input', `labels: ${MAX_LABEL_FILTERS} at most (MAX_LABEL_FILTERS)`)
  return { limit, labels: wanted, ...(state && { state }), ...(cursor && { before: decodeCursor(cursor) }) }
}

function decodeLabel(text: string): [key: string, value: string] {
  const at = text.indexOf(':')
  if (at < 1) fail('invalid_input', `labels: ${JSON.stringify(text)} is no key:value; give such as labels=env:test`)
  return [text.slice(0, at), text.slice(at + 1)]
}

export const encodeCursor = ({ createdAt, name }: SessionPlace) => `${createdAt}.${name}`

function decodeCursor(cursor: string): SessionPlace {
  const [, createdAt, name] = /^(\d{1,16})\.(.+)$/s.exec(cursor) ?? []
  if (createdAt === undefined || name === undefined)
    return fail('invalid_input', 'cursor: give the next_cursor of the page before, or none for the first page')
  return { createdAt: Number(createdAt), name }
}
