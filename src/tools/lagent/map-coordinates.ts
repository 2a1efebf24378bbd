import * as z from 'zod'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { mapKey } from './map-key.ts'

/** Source: Lagent, actions/bing_map.py, get_coordinates. */
export const mapCoordinates = defineTool({
  name: 'map_coordinates',
  description: 'Find a place by a map service. Returns latitude and longitude in degrees.',
  effect: 'fetch',
  uses: ['maps', 'secrets'],
  input: z.object({ location: requiredText.describe('A place or an address, e.g. "Brandenburg Gate, Berlin"') }),

  async run({ location }, { ports: { maps, secrets }, signal }) {
    const { latitude, longitude } = await maps.locate(location, await mapKey(secrets), signal)
    return { text: `${latitude}, ${longitude}`, data: { latitude, longitude } }
  },
})
