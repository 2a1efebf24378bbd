import * as z from 'zod'
import { integer, number, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { mapKey } from './map-key.ts'

/** Number of places, as in Lagent's own action. */
const MAX_PLACES = 5
const NOWHERE = 'unknown'

/**
 * Finds places nearby. Source: Lagent, actions/bing_map.py, search_nearby. There a name in `places` always fails; here it
 * is looked up. The radius, which the service overlooks there, is sent in the form that it understands.
 */
export const mapNearby = defineTool({
  name: 'map_nearby',
  description: `Find places of a kind near a place, by a map service. Returns name and address of ${MAX_PLACES} at most.`,
  effect: 'fetch',
  uses: ['maps', 'secrets'],
  input: z.object({
    search_term: requiredText.describe('What to look for, e.g. "coffee"'),
    places: withDefault(z.string(), NOWHERE).describe(
      'Around which place, by name. Default "unknown": around latitude and longitude',
    ),
    latitude: withDefault(number.pipe(z.number().min(-90).max(90)), 0).describe('Degrees, -90 to 90. Default 0'),
    longitude: withDefault(number.pipe(z.number().min(-180).max(180)), 0).describe('Degrees, -180 to 180. Default 0'),
    radius: withDefault(integer.pipe(z.int().min(1)), 5_000).describe('Metres around it, from 1. Default 5000'),
  }),

  async run({ search_term, places, latitude, longitude, radius }, { ports: { maps, secrets }, signal }) {
    const key = await mapKey(secrets)
    const isNamed = places.trim() !== '' && places !== NOWHERE
    const middle = isNamed ? await maps.locate(places, key, signal) : { latitude, longitude }
    const place = (await maps.nearby(search_term, { ...middle, radius }, key, signal)).slice(0, MAX_PLACES)
    const lines = place.map(({ name, address }) => `- ${name}, ${address}`)
    return {
      text: lines.length > 0 ? lines.join('\n') : `nothing found near there for ${search_term}`,
      data: { place },
    }
  },
})
