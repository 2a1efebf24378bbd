import { cpus } from 'node:os'
import type { Config } from './config.ts'
import { fromStringMap } from './json.ts'
import { ALL_TRAFFIC } from './new-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** The agent version reported to the SDK, which turns features on by it: this one has all that the agent here has. */
const ENVD_VERSION = '0.6.4'

/** The reply to create and connect. */
export function encodeAccess({ record }: Sandbox) {
  return {
    sandboxID: record.id,
    templateID: record.templateId,
    clientID: 'local',
    envdVersion: ENVD_VERSION,
    envdAccessToken: record.accessToken,
    trafficAccessToken: record.trafficToken,
    domain: null,
  }
}

/** An item of the list. */
export function encodeListed({ record }: Sandbox, config: Config) {
  return {
    sandboxID: record.id,
    templateID: record.templateId,
    clientID: 'local',
    alias: record.templateId,
    metadata: fromStringMap(record.metadata),
    startedAt: new Date(record.startedAt).toISOString(),
    endAt: new Date(record.endAt).toISOString(),
    state: record.state,
    cpuCount: cpus().length,
    memoryMB: config.memoryMb,
    diskSizeMB: config.diskMb,
    envdVersion: ENVD_VERSION,
    volumeMounts: [],
  }
}

/** The reply to `GET /sandboxes/{id}`. */
export function encodeInfo(sandbox: Sandbox, config: Config) {
  const { onTimeout, autoResume, internet, publicTraffic } = sandbox.record
  return {
    ...encodeListed(sandbox, config),
    allowInternetAccess: internet !== false,
    ...(Array.isArray(internet) && {
      network: { allowOut: internet, denyOut: [ALL_TRAFFIC], allowPublicTraffic: publicTraffic },
    }),
    lifecycle: { onTimeout, autoResume },
  }
}
