import { useRef } from 'preact/hooks'
import { Problem, problemOf } from '../../api.ts'
import { say } from '../../parts/action.tsx'
import { Form, textOf } from '../../parts/form.tsx'
import { costText, countText } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import {
  type KnownLimits,
  type LimitRule,
  type Limits,
  nameOf,
  putLimits,
  readLimits,
  readUsage,
  type Used,
  type UsedGroup,
} from './types.ts'

type Amounts = Pick<Used, 'calls' | 'cost'>

interface Budget {
  readonly label: string
  readonly unit: 'calls' | 'cost'
  readonly used: number
  readonly most: number
}

const changedMeanwhile = ({ status, code, requestId }: Problem, now: Limits): Problem =>
  new Problem(
    status,
    code,
    'Somebody else has changed the limits meanwhile, so nothing was saved.',
    `They are now ${JSON.stringify(now)}. Put what is to stay into yours; saving again replaces them.`,
    requestId,
  )

/** Limits and prices of the tenant, and what is left today of those that are for a day. */
export function LimitsView() {
  const limits = useResource('limits', readLimits)
  const theirs = useRef<KnownLimits | null>(null)
  const rules = limits.value?.settings.rules ?? []
  const left = useResource(
    limits.value ? `left of ${JSON.stringify(rules)}` : null,
    (signal) => readLeft(rules, signal),
    {
      everyMs: 30_000,
    },
  )
  return (
    <section class="stack usage-limits" aria-label="Limits">
      <h2>Limits and budgets</h2>
      {limits.problem && <ProblemView problem={limits.problem} retry={() => void limits.reload()} />}
      {left.problem && <ProblemView problem={left.problem} retry={() => void left.reload()} />}
      {left.value && <Budgets budgets={left.value} />}
      {limits.value && (
        <details>
          <summary>Change rules and prices</summary>
          <Form
            label="Limits"
            submit="Save limits"
            run={async (fields) => {
              const known = theirs.current ?? limits.value
              try {
                await putLimits(parsed(textOf(fields, 'limits')), known?.tag ?? '')
              } catch (thrown) {
                const problem = problemOf(thrown)
                if (problem.status !== 412) throw problem
                theirs.current = await readLimits()
                throw changedMeanwhile(problem, theirs.current.settings)
              }
              theirs.current = null
              await limits.reload()
              say('The limits hold for the next call.')
            }}
          >
            <label class="field">
              Rules and prices, as JSON
              <textarea
                key={limits.value.tag}
                name="limits"
                rows={14}
                spellcheck={false}
                defaultValue={JSON.stringify(limits.value.settings, null, 2)}
              />
              <span class="field-help">
                A rule has scope (tenant, key, agent, tool), name (* fits any characters), per_minute, burst,
                concurrency, per_day, budget_per_day. Of the rules of one scope the first that fits holds. Money in
                millionths.
              </span>
            </label>
          </Form>
        </details>
      )}
    </section>
  )
}

function Budgets({ budgets }: { readonly budgets: readonly Budget[] }) {
  if (budgets.length === 0) return <p class="soft">No limit by the day is set.</p>
  const text = ({ unit }: Budget, amount: number) => (unit === 'cost' ? costText(amount) : countText(amount))
  return (
    <section class="scroll-x" aria-label="Left today">
      <table>
        <thead>
          <tr>
            <th>Today (UTC)</th>
            <th class="number">Used</th>
            <th class="number">Of</th>
            <th class="number">Left</th>
          </tr>
        </thead>
        <tbody>
          {budgets.map((budget) => (
            <tr key={`${budget.label} ${budget.unit}`}>
              <td>
                {budget.label}, {budget.unit}
              </td>
              <td class="number">{text(budget, budget.used)}</td>
              <td class="number">{text(budget, budget.most)}</td>
              <td class="number">{text(budget, Math.max(0, budget.most - budget.used))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Use of today for each rule by the day, by each name that it limits. @throws Problem */
async function readLeft(rules: readonly LimitRule[], signal: AbortSignal): Promise<readonly Budget[]> {
  const today = new Date().toISOString().slice(0, 10)
  const scopes = [...new Set(rules.filter(isDaily).map(({ scope }) => scope))]
  const budgets = await Promise.all(
    scopes.map(async (scope) => {
      const own = rules.filter((rule) => rule.scope === scope)
      if (scope === 'tenant') {
        const { total } = await readUsage({ from: today, to: today }, signal)
        return own[0] ? budgetsOf(own[0], 'Tenant', total) : []
      }
      const { data } = await readUsage({ from: today, to: today, group_by: scope }, signal)
      const used = sumsOf(data, (group) => countedAs(scope, nameOf(group, scope)))
      const exact = own.flatMap(({ name = '*' }) => (name.includes('*') || used.has(name) ? [] : [name]))
      return [...used.keys(), ...exact].flatMap((name) => {
        const rule = own.find((one) => fits(one.name ?? '*', name))
        return rule ? budgetsOf(rule, `${scope} ${name}`, used.get(name)) : []
      })
    }),
  )
  return budgets.flat()
}

/** Name by which a limit counts: child keys count for the key at the top of their chain. */
const countedAs = (scope: LimitRule['scope'], name: string): string =>
  scope === 'key' ? (name.split('.', 1)[0] ?? name) : name

function sumsOf(groups: readonly UsedGroup[], counted: (group: UsedGroup) => string): ReadonlyMap<string, Amounts> {
  const sums = new Map<string, Amounts>()
  for (const group of groups) {
    const { calls, cost } = sums.get(counted(group)) ?? { calls: 0, cost: 0 }
    sums.set(counted(group), { calls: calls + group.calls, cost: cost + group.cost })
  }
  return sums
}

const isDaily = ({ per_day, budget_per_day }: LimitRule) => Boolean(per_day || budget_per_day)

function budgetsOf({ per_day, budget_per_day }: LimitRule, label: string, used: Amounts | undefined): Budget[] {
  const budgets: Budget[] = []
  if (per_day) budgets.push({ label, unit: 'calls', used: used?.calls ?? 0, most: per_day })
  if (budget_per_day) budgets.push({ label, unit: 'cost', used: used?.cost ?? 0, most: budget_per_day })
  return budgets
}

/** Whether a name is one that a rule is for; `*` stands for any run of characters. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw problemOf(new Error(`This is no JSON: ${thrown instanceof Error ? thrown.message : ''}`))
  }
}
