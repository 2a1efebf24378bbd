import * as z from 'zod'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { mapKey } from './map-key.ts'

/** Source: Lagent, actions/bing_map.py, get_route. */
export const mapRoute = defineTool({
  name: 'map_route',
  description:
    'Get the way by car from one place to another, by a map service. Returns route: its steps, turn by turn.',
  effect: 'fetch',
  uses: ['maps', 'secrets'],
  input: z.object({
    start: requiredText.describe('Where from: a place, an address, or "latitude,longitude"'),
    end: requiredText.describe('Where to, likewise'),
  }),

  async run({ start, end }, { ports: { maps, secrets }, signal }) {
    const { steps } = await maps.route(start, end, await mapKey(secrets), signal)
    return { text: steps.map((step, at) => `${at + 1}. ${step}`).join('\n'), data: { route: steps } }
  },
})
