import type { Scope } from '../../../../src/auth/principal.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import { UNRESTRICTED } from '../../../../src/core/tenant-internet.ts'
import type { Services } from '../../../../src/http/dialect.ts'
import type { LinkParts } from '../../../../src/http/dialects/v1/files/link-parts.ts'
import { v1 } from '../../../../src/http/dialects/v1/routes.ts'
import { marketModeration } from '../../../../src/market/moderation.ts'
import { NodeDatabase } from '../../../support/database-node.ts'
import { NO_KEYS } from '../../../support/no-keys.ts'
import { NO_LINKS } from '../../../support/no-links.ts'
import { V1_ANSWERS } from '../../../support/openapi/answers.ts'
import { readAsset } from '../../../support/openapi/read-asset.ts'
import { READER_HERE } from '../../../support/reader-here.ts'
import { openTenant } from '../../tenant/open.ts'

/** The dialect over a tenant in memory, and one key of it. An answer that the document does not allow fails its test. */
export function openV1(more: Partial<Services> = {}, links: LinkParts = NO_LINKS) {
  const opened = openTenant()
  const { app } = v1({
    ...NO_KEYS,
    reader: READER_HERE,
    ...links,
    publicPapers: null,
    adminToken: null,
    marketModeration: marketModeration(new NodeDatabase()),
    readAsset,
  })
  const services = {
    tenant: opened.tenant,
    reader: READER_HERE,
    key: 'k',
    internetPolicies: async () => UNRESTRICTED,
    now: () => opened.time.now,
    ...more,
  } as unknown as Services // no more of them is asked for
  const inTenant = (tenant: string, scopes: readonly Scope[]) => ({
    requestId: 'r',
    caller: { principal: { tenant: tenantId(tenant), scopes, keyId: 'k' }, services },
  })
  const fetch = async (
    method: string,
    path: string,
    body?: unknown,
    scopes: readonly Scope[] = ['admin'],
    tenant = 'acme',
    headers: Record<string, string> = {},
  ) => {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
      inTenant(tenant, scopes),
    )
    await V1_ANSWERS.check(method, path, response)
    return response
  }
  return {
    ...opened,
    app,
    inTenant,
    fetch,
    async call(...args: Parameters<typeof fetch>) {
      const response = await fetch(...args)
      const body = response.status === 204 ? {} : await response.json()
      return { status: response.status, body: body as Record<string, unknown> }
    },
  }
}
