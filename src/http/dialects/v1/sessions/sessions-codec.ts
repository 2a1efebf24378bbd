import * as z from 'zod'
import { MAX_COUNTED_ENTRIES } from '../../../../core/limits/workspace.ts'
import type { SessionSettings } from '../../../../core/session-settings.ts'
import { sessionInternet, type TenantInternet } from '../../../../core/tenant-internet.ts'
import type { SessionView } from '../../../../session/api.ts'
import type { BrowsedSession } from '../../../../tenant/api.ts'
import { encodeInternet, InternetAnswer } from '../../../internet-policy.ts'
import { type SessionEnvironment, underPolicy } from '../../../session-environment.ts'

const time = (ms: number) => new Date(ms).toISOString()
const timeOrNull = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : time(ms))
const secondsOrNull = (ms: number | null) => (ms === null ? null : ms / 1_000)

const Time = z.string().meta({ format: 'date-time' })

export const State = z.enum(['ready', 'running', 'paused']).meta({
  id: 'SessionState',
  description:
    '`ready`: no sandbox; the next call that runs something gets one. `running`: its sandbox runs. `paused`: its sandbox waits, with its processes in memory, and the next call that needs it wakes it. A session that expired or was deleted is not found.',
})

const summary = {
  name: z.string().meta({ description: 'The name in paths; a slash in it is sent as %2F.' }),
  title: z.string(),
  state: State,
  state_since: Time.nullable().meta({ description: 'When the state was noticed; null when it never changed.' }),
  labels: z.record(z.string(), z.string()),
  internet: InternetAnswer.meta({
    description:
      "False when commands in the sandbox reach no network; a list when they reach these hosts alone. The session's own policy or the tenant's default, within the tenant's ceiling.",
  }),
  lifetime_seconds: z.number().nullable().meta({ description: 'Counted from created_at; null for no end.' }),
  idle_lifetime_seconds: z.number().nullable().meta({ description: 'Counted from last_used_at; null for no end.' }),
  created_at: Time,
  last_used_at: Time.meta({ description: 'The last call, change of a file or of the session; else created_at.' }),
  expires_at: Time.nullable().meta({
    description: 'When the session is deleted with its files, if it is not used any more; null for never.',
  }),
  on_expiry: z.enum(['delete']).nullable().meta({
    description: 'What happens at expires_at: `delete`, with all files and no way back. Null where it is null.',
  }),
}

/** A session in a list: as the tenant knows it, without asking the session. */
export const ListedSession = z.object(summary).meta({ id: 'ListedSession' })

export const Session = z
  .object({
    ...summary,
    forked_from: z
      .object({
        session: z.string().meta({ description: 'Its name then; there may be no such session any more.' }),
        commit: z.int().meta({ description: 'Commit of that session whose files the fork got.' }),
      })
      .nullable()
      .meta({ description: 'Session that it is a fork of; null for any other.' }),
    requirements: z.array(z.string()).meta({ description: 'Python packages that each new sandbox gets.' }),
    files: z.object({
      entries: z.int().meta({ description: 'Files, directories and links.' }),
      directories: z
        .int()
        .nullable()
        .meta({
          description: `Directories among them; null where there are more than ${MAX_COUNTED_ENTRIES} entries.`,
        }),
      bytes: z.int(),
    }),
    running_calls: z
      .array(z.string())
      .meta({ description: 'Ids of calls that run for long, and of work that goes on.' }),
    environment: z
      .object({
        python: z.string().optional(),
        packages: z.string().optional(),
        programs: z.string().optional(),
        memory_mb: z.int().optional(),
        network: z.string().optional(),
        directories: z.string(),
      })
      .nullable()
      .meta({ description: 'What commands find in the sandbox; null where it is not known.' }),
  })
  .meta({ id: 'Session' })

const encodeSettings = (
  { labels, internet, lifetimeMs, idleLifetimeMs }: SessionSettings,
  policies: TenantInternet,
) => ({
  labels: { ...labels },
  internet: encodeInternet(sessionInternet(internet, policies)),
  lifetime_seconds: secondsOrNull(lifetimeMs),
  idle_lifetime_seconds: secondsOrNull(idleLifetimeMs),
})

export const encodeListed = (
  { name, title, settings, state, stateAt, createdAt, usedAt }: BrowsedSession,
  expiresAt: number | null,
  policies: TenantInternet,
): z.output<typeof ListedSession> => ({
  name,
  title,
  state,
  state_since: timeOrNull(stateAt),
  ...encodeSettings(settings, policies),
  created_at: time(createdAt),
  last_used_at: time(usedAt),
  expires_at: timeOrNull(expiresAt),
  on_expiry: expiresAt === null ? null : 'delete',
})

export function encodeSession(
  view: SessionView,
  environment: SessionEnvironment | null,
  policies: TenantInternet,
): z.output<typeof Session> {
  const { info, origin, settings, state, stateAt, usedAt, expiry, files, running } = view
  const { name, title, createdAt, requirements } = info
  return {
    ...encodeListed({ name, title, settings, state, stateAt, createdAt, usedAt }, expiry?.at ?? null, policies),
    forked_from: origin && { session: origin.session, commit: origin.commit },
    requirements: [...requirements],
    files,
    running_calls: [...running],
    environment: environment && underPolicy(environment, sessionInternet(settings.internet, policies)),
  }
}
