import { KEY } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInAnswer, type StandInRequest } from '../support/stand-in.ts'

/** A service of maps, as it answers a server that has its settings. It knows what {@link WORLD} has, and nothing else. */
export interface MapsStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  /** As errors name it. */
  readonly name: string
  /** An empty one is the stand-in's URL; those that end in `_BASE_URL` need not be here. */
  readonly settings: Readonly<Record<string, string>>
  readonly answer: (request: StandInRequest) => StandInAnswer
  /** Name in the path of the key that a request had; null for a service without keys. */
  readonly keyIn: ((request: StandInRequest) => string | null) | null
  /** Words of an error that the service refuses to answer. */
  readonly refusal: RegExp
}

/** Two towns with a road between them, one on an island, and two cafés in the first, so many metres from its middle. */
export const WORLD = {
  towns: { Berlin: [52.5, 13.4], Hamburg: [53.55, 10], Reykjavik: [64.1, -21.9] },
  kilometres: 288.61,
  cafes: { Near: 100, Far: 800 },
} as const

type Town = keyof typeof WORLD.towns
const town = (name: string | null) => WORLD.towns[name as Town] as readonly [number, number] | undefined
const METRES_PER_DEGREE = 111_195

function asOpenStreetMap({ url }: StandInRequest): StandInAnswer {
  const { pathname, searchParams } = url
  if (pathname.startsWith('/route/')) {
    if (!pathname.endsWith('/13.4,52.5;10,53.55')) return jsonAnswer({ code: 'NoRoute' }, 400)
    const steps = [
      { name: 'Linden', maneuver: { type: 'depart' } },
      { name: '', maneuver: { type: 'arrive' } },
    ]
    return jsonAnswer({ code: 'Ok', routes: [{ distance: WORLD.kilometres * 1_000, legs: [{ steps }] }] })
  }
  if (!searchParams.has('viewbox')) {
    const known = town(searchParams.get('q'))
    return jsonAnswer(known ? [{ lat: `${known[0]}`, lon: `${known[1]}`, display_name: 'a town' }] : [])
  }
  const [latitude, longitude] = WORLD.towns.Berlin
  const cafes = Object.entries(WORLD.cafes).map(([name, metres]) => ({
    lat: `${latitude + metres / METRES_PER_DEGREE}`,
    lon: `${longitude}`,
    name,
    display_name: `${name}, a street`,
  }))
  // In no order: Nominatim's is that of importance.
  return jsonAnswer(searchParams.get('q') === 'cafe' ? cafes.reverse() : [])
}

function asBing({ url }: StandInRequest): StandInAnswer {
  const { pathname, searchParams } = url
  const resources = (...found: unknown[]) => jsonAnswer({ resourceSets: [{ resources: found }] })
  switch (pathname) {
    case '/Routes/Driving': {
      if (searchParams.get('wp.0') !== 'Berlin' || searchParams.get('wp.1') !== 'Hamburg') return jsonAnswer({}, 404)
      const itineraryItems = [{ instruction: { text: 'Depart' } }, { instruction: { text: 'Arrive' } }]
      return resources({ travelDistance: WORLD.kilometres, routeLegs: [{ itineraryItems }] })
    }
    case '/Locations': {
      const known = town(searchParams.get('query'))
      return known ? resources({ point: { coordinates: known } }) : resources()
    }
    default:
      if (searchParams.get('query') !== 'cafe') return resources()
      return resources(
        ...Object.keys(WORLD.cafes).map((name) => ({ name, Address: { formattedAddress: `${name}, a street` } })),
      )
  }
}

export const MAPS_STAND_INS: readonly MapsStandIn[] = [
  {
    provider: 'openstreetmap',
    name: 'OpenStreetMap',
    settings: { NOMINATIM_URL: '', OSRM_URL: '' },
    answer: asOpenStreetMap,
    keyIn: null,
    refusal: /Nominatim answered with status 403/,
  },
  {
    provider: 'bing',
    name: 'Bing Maps',
    settings: { BING_MAP_KEY: KEY },
    answer: asBing,
    keyIn: ({ url }) => url.searchParams.get('key'),
    refusal: /key in BING_MAP_KEY/,
  },
]
