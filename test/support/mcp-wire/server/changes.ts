import { InMemoryServerEventBus, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import type { Listen } from '../../../../src/http/dialects/mcp/server/resources/listening.ts'
import { type Fixture, fixture, text } from './fixture.ts'

/** Events of the isolate, which has all requests of a run. */
const bus = new InMemoryServerEventBus()

/** Source of every stream: lists of the product never change, and those of the suite's server do. */
export const listen: Listen = async (_, body) => ({ body, bus })

const changes = (name: string, kind: 'tools_list_changed' | 'prompts_list_changed') =>
  fixture(name, 'Says that a list has changed.', () => {
    bus.publish({ kind })
    return text('It has changed.')
  })

/** Tools by which a scenario makes the server do what only some servers do. */
export const DIAGNOSTICS: readonly Fixture[] = [
  changes('test_trigger_tool_change', 'tools_list_changed'),
  changes('test_trigger_prompt_change', 'prompts_list_changed'),
  fixture('test_missing_capability', 'Needs a client that samples.', () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  }),
]
