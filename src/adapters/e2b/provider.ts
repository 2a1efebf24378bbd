import * as z from 'zod'
import { optional, optionalUrl } from '../../core/settings.ts'
import { provider } from '../provider.ts'
import { planSetting } from './plan.ts'
import { type E2bConfig, e2bSandboxHost } from './sandbox.ts'

const DEFAULT_TEMPLATE = 'base'

const SETTINGS = {
  E2B_API_KEY: optional,
  E2B_API_URL: optionalUrl,
  E2B_SANDBOX_URL: optionalUrl,
  E2B_PLAN: planSetting,
  SANDBOX_TEMPLATE: z.string().trim().min(1).default(DEFAULT_TEMPLATE).meta({ fallback: DEFAULT_TEMPLATE }),
}

type Values = { readonly [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]> }

/** Options of the SDK from the settings: both URLs absent in E2B's cloud, which refuses an empty key with its own error. */
export const e2bConfig = ({
  E2B_API_KEY,
  E2B_API_URL,
  E2B_SANDBOX_URL,
  E2B_PLAN,
  SANDBOX_TEMPLATE,
}: Values): E2bConfig => ({
  apiKey: E2B_API_KEY ?? '',
  ...(E2B_API_URL === null ? {} : { apiUrl: E2B_API_URL }),
  ...(E2B_SANDBOX_URL === null ? {} : { sandboxUrl: E2B_SANDBOX_URL }),
  template: SANDBOX_TEMPLATE,
  ...(E2B_PLAN === null ? {} : { plan: E2B_PLAN }),
})

export const sandboxE2b = provider({
  name: 'e2b',
  port: 'sandbox',
  about:
    "E2B's cloud, or a host that speaks its protocol at the two URLs, as `npm start` has one; `SANDBOX_TEMPLATE` is made by `npm run template`",
  settings: SETTINGS,
  // No setting is needed: without a key the first command's error tells the operator what to set.
  needs: [],
  make: (settings, { isLocal, open }) => e2bSandboxHost({ ...e2bConfig(settings), isLocal, open }),
  sandboxes: ({ E2B_API_KEY, E2B_API_URL, E2B_PLAN, SANDBOX_TEMPLATE }) => ({
    isSetUp: E2B_API_KEY !== null,
    // A host of the operator's own does not charge by the second.
    isMetered: E2B_API_URL === null,
    image: SANDBOX_TEMPLATE,
    plan: E2B_PLAN,
  }),
})
