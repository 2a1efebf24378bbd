import * as z from 'zod'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { mapKey } from './map-key.ts'

/** Source: Lagent, actions/bing_map.py, get_distance. */
export const mapDistance = defineTool({
  name: 'map_distance',
  description:
    'Get how far it is by car from one place to another, by a map service. Returns distance in kilometres. For the way use ' +
    'map_route.',
  effect: 'fetch',
  uses: ['maps', 'secrets'],
  input: z.object({
    start: requiredText.describe('Where from: a place, an address, or "latitude,longitude"'),
    end: requiredText.describe('Where to, likewise'),
  }),

  async run({ start, end }, { ports: { maps, secrets }, signal }) {
    const { kilometres } = await maps.route(start, end, await mapKey(secrets), signal)
    return { text: `${kilometres} km`, data: { distance: kilometres } }
  },
})
