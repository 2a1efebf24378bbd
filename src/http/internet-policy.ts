import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { type Internet, internetHosts } from '../core/internet.ts'
import { MAX_INTERNET_HOST_CHARS, MAX_INTERNET_HOSTS } from '../core/limits/sessions.ts'
import { isWithin, type TenantInternet } from '../core/tenant-internet.ts'

const Hosts = z.array(z.string().min(1).max(MAX_INTERNET_HOST_CHARS)).min(1).max(MAX_INTERNET_HOSTS)

/** Internet policy in a request. */
export const InternetInput = z.union([z.boolean(), Hosts])

/** Internet policy in an answer. */
export const InternetAnswer = z.union([z.boolean(), z.array(z.string())])

/** Internet policies of a tenant in a request. */
export const TenantInternetInput = z
  .strictObject({
    default: InternetInput.optional().meta({
      description: 'Policy of sessions that give none; left out: the ceiling.',
    }),
    ceiling: InternetInput.optional().meta({ description: 'The most that any session has; left out: true.' }),
  })
  .meta({
    id: 'NewTenantInternet',
    description:
      "What commands in sandboxes of the tenant's sessions reach: true for the public internet, false for nothing, or a list of hosts.",
  })

/** Internet policies of a tenant in an answer. */
export const TenantInternetAnswer = z
  .object({
    default: InternetAnswer.meta({ description: 'Policy of sessions that give none.' }),
    ceiling: InternetAnswer.meta({ description: 'The most that any session has.' }),
  })
  .meta({ id: 'TenantInternet' })

/** Refusal of a policy on a server whose sandboxes have no isolation. */
export const CANNOT_DENY = 'internet: this server cannot keep commands from the network, since nothing isolates them'

/** @throws FailureError `invalid_input` for a host that is none */
export const decodeInternet = (internet: z.output<typeof InternetInput>): Internet =>
  typeof internet === 'boolean' ? internet : internetHosts(internet)

/** @throws FailureError `invalid_input` for a host that is none, and for a default beyond the ceiling */
export function decodeTenantInternet(internet: z.output<typeof TenantInternetInput>): TenantInternet {
  const ceiling = decodeInternet(internet.ceiling ?? true)
  const usual = internet.default === undefined ? ceiling : decodeInternet(internet.default)
  if (!isWithin(usual, ceiling)) {
    fail('invalid_input', 'internet: "default" allows more than "ceiling"; give less, or leave it out')
  }
  return { default: usual, ceiling }
}

export const encodeInternet = (internet: Internet): z.output<typeof InternetAnswer> =>
  typeof internet === 'boolean' ? internet : [...internet]

export const encodeTenantInternet = ({
  default: usual,
  ceiling,
}: TenantInternet): z.output<typeof TenantInternetAnswer> => ({
  default: encodeInternet(usual),
  ceiling: encodeInternet(ceiling),
})
