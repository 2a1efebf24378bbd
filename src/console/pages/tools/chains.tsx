import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, send, who } from '../../api.ts'
import { isSchema } from '../../forms/fields.ts'
import { Action, say } from '../../parts/action.tsx'
import { addressOf, go, here, withQuery } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { ChainPicture } from './chain-picture.tsx'
import { ToolsFrame } from './frame.tsx'
import type { ChainStep, DryRun, ListedRegistered, Registered } from './types.ts'

const EXAMPLE = {
  steps: [
    { id: 'write', tool: 'file_write', input: { file_path: 'note.md', content: '${' + '{ input.text }}' } },
    { id: 'count', tool: 'execute_shell', input: { command: 'wc -w < note.md' } },
  ],
}

/** Chains of tools: one as text and as a picture, what it would do, and the way to register it. */
export function ChainsPage() {
  const of = here.value.query.get('of')
  const chains = useResource('chains', async (signal) => {
    const page = await get<Listed<ListedRegistered>>('/v1/tools/registered', { limit: 200 }, signal)
    return page.data.filter(({ executor }) => executor === 'chain')
  })
  const chosen = useResource(of && `registered ${JSON.stringify([of, null])}`, (signal) =>
    get<Registered>(`/v1/tools/registered/${encodeURIComponent(of ?? '')}`, {}, signal),
  )
  return (
    <ToolsFrame tab="chains">
      <div class="filters">
        <label class="field-inline">
          Chain
          <select value={of ?? ''} onChange={(event) => go(withQuery({ of: event.currentTarget.value }))}>
            <option value="">A new one</option>
            {chains.value?.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        {of && <a href={addressOf(['tools', 'registered', of])}>Its versions</a>}
      </div>
      {chosen.problem && <ProblemView problem={chosen.problem} />}
      {(!of || chosen.value) && <Chain key={of ?? ''} tool={of ? (chosen.value ?? null) : null} />}
    </ToolsFrame>
  )
}

function Chain({ tool }: { readonly tool: Registered | null }) {
  const chain = tool?.executor.kind === 'chain' ? tool.executor.chain : EXAMPLE
  const text = useSignal(JSON.stringify(chain, null, 2))
  const input = useSignal(tool ? '{}' : '{ "text": "bees are busy" }')
  const plan = useSignal<DryRun | null>(null)
  const id = useSignal('')
  const steps = stepsOf(text.value)
  useEffect(() => {
    plan.value = null
  }, [text.value, input.value])
  const dryRun = async () => {
    plan.value = await send<DryRun>('POST', '/v1/chains/dry-run', {
      chain: JSON.parse(text.peek()) as unknown,
      input: JSON.parse(input.peek() || '{}') as unknown,
    })
  }
  const register = async () => {
    const given = JSON.parse(input.peek() || '{}') as unknown
    const names = isSchema(given) ? Object.keys(given) : []
    await send('PUT', `/v1/tools/registered/${encodeURIComponent(id.peek())}`, {
      name: id.peek(),
      description: `Chain of ${steps?.map((step) => step.tool).join(', ')}.`,
      input_schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
      executor: { kind: 'chain', chain: JSON.parse(text.peek()) as unknown },
    })
    say('The chain is a tool now.')
    go(addressOf(['tools', 'registered', id.peek()]))
  }
  const { value: planned } = plan
  return (
    <div class="tool-call">
      <div class="stack">
        <label class="field">
          Steps, as JSON
          <textarea
            rows={Math.min(16, text.value.split('\n').length + 1)}
            spellcheck={false}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Input to try it with
          <textarea
            rows={2}
            spellcheck={false}
            value={input.value}
            onInput={(event) => (input.value = event.currentTarget.value)}
          />
        </label>
        <div class="row-actions">
          <Action tone="primary" run={dryRun} disabled={steps === null}>
            Dry run
          </Action>
          <span class="soft">finds mistakes; calls nothing</span>
        </div>
        {!tool && who.value?.scopes.includes('admin') && (
          <div class="call-line">
            <label class="field">
              Register it as
              <input
                value={id.value}
                placeholder="my.chain"
                onInput={(event) => (id.value = event.currentTarget.value.trim())}
              />
            </label>
            <Action run={register} disabled={!id.value || steps === null}>
              Register
            </Action>
          </div>
        )}
      </div>
      <div class="stack">
        {steps ? (
          <ChainPicture
            steps={steps}
            {...(planned && {
              runs: new Map(planned.steps.map((step) => [step.id, step.runs])),
              waits: new Map(planned.steps.map((step) => [step.id, step.waits_for])),
            })}
          />
        ) : (
          <p class="soft answer-place">The picture appears when the text is a chain: an object with a list “steps”.</p>
        )}
        {planned && <Plan plan={planned} />}
      </div>
    </div>
  )
}

/** Steps of a chain's text, as far as they can be drawn; null where there are none. */
function stepsOf(text: string): readonly ChainStep[] | null {
  try {
    const chain = JSON.parse(text) as unknown
    if (!isSchema(chain) || !Array.isArray(chain.steps)) return null
    return (chain.steps as unknown[]).filter(
      (step): step is ChainStep & Record<string, unknown> =>
        isSchema(step) && typeof step.id === 'string' && typeof step.tool === 'string',
    )
  } catch {
    return null
  }
}

function Plan({ plan }: { readonly plan: DryRun }) {
  return (
    <section class="stack" aria-label="Dry run">
      <div class="row-actions">
        <h2>Dry run</h2>
        <Badge tone={plan.ok ? 'good' : 'bad'}>{plan.ok ? 'it can run' : 'it cannot run'}</Badge>
      </div>
      {plan.issues.length > 0 && (
        <ul class="form-problems">
          {plan.issues.map((issue, at) => (
            <li key={at}>
              {issue.step && <code>{issue.step}: </code>}
              {issue.message}
            </li>
          ))}
        </ul>
      )}
      <div class="scroll-x">
        <table>
          <thead>
            <tr>
              <th>Step</th>
              <th>Runs</th>
              <th>Calls</th>
              <th>Input</th>
            </tr>
          </thead>
          <tbody>
            {plan.steps.map((step) => (
              <tr key={step.id}>
                <td>
                  <strong>{step.id}</strong>
                  <br />
                  <code class="soft">{step.tool}</code>
                </td>
                <td>{step.runs}</td>
                <td>{step.calls ?? 'unknown'}</td>
                <td>
                  <code>{JSON.stringify(step.input) ?? ''}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
