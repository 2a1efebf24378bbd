import * as z from 'zod'
import {
  E2B_PLANS,
  MAX_PLAN_CREATIONS,
  MAX_PLAN_HOURS,
  MAX_PLAN_RUNNING,
  MIN_PLAN_HOURS,
  type SandboxPlan,
} from '../../core/limits/sandbox-plans.ts'
import { optional } from '../../core/settings.ts'

const HOUR_MS = 60 * 60_000

const isPlan = (name: string): name is keyof typeof E2B_PLANS => Object.hasOwn(E2B_PLANS, name)

/** Reads `running=300 creations=10 hours=24`, in any order. @returns null for anything else */
function byNumbers(text: string): SandboxPlan | null {
  const given = new Map<string, number>()
  for (const word of text.split(/[\s,]+/)) {
    const [name = '', value = '', ...more] = word.split('=')
    if (value === '' || more.length > 0 || given.has(name)) return null
    given.set(name, Number(value))
  }
  const numbers = PlanNumbers.safeParse(Object.fromEntries(given))
  if (!numbers.success) return null
  const { running, creations, hours } = numbers.data
  return { running, creationsPerSecond: creations, longestRunMs: hours * HOUR_MS }
}

const PlanNumbers = z.strictObject({
  running: z.int().min(1).max(MAX_PLAN_RUNNING),
  creations: z.int().min(1).max(MAX_PLAN_CREATIONS),
  hours: z.number().min(MIN_PLAN_HOURS).max(MAX_PLAN_HOURS),
})

/** Setting for the account's plan: its name, or its numbers; null for an account whose limits are not known. */
export const planSetting = optional.transform((text, { addIssue }): SandboxPlan | null => {
  if (text === null) return null
  const name = text.toLowerCase()
  const plan = isPlan(name) ? E2B_PLANS[name] : byNumbers(text)
  if (plan) return plan
  addIssue('give hobby, pro, or the numbers of the plan: running=300 creations=10 hours=24')
  return z.NEVER
})
