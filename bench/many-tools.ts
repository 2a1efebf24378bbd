import { compare } from './measure.ts'

/** Number of tools that are promised to be searched in less than 20 ms. */
export const MANY_TOOLS = 5_000

const VERBS = ['get', 'list', 'search', 'create', 'update', 'delete', 'convert', 'compare', 'translate', 'track']
const THINGS = [
  'weather', 'forecast', 'invoice', 'customer', 'flight', 'hotel', 'recipe', 'match', 'player', 'stock', 'currency',
  'parcel', 'song', 'lyrics', 'movie', 'review', 'image', 'barcode', 'address', 'map', 'event', 'ticket', 'email', 'contact',
  'calendar', 'document', 'language', 'sentence', 'number', 'price', 'product', 'order', 'payment', 'tax', 'train', 'car',
  'medicine', 'exercise', 'quote', 'news',
] // biome-ignore format: a list of words
const QUALITIES = [
  'daily',
  'historical',
  'nearby',
  'popular',
  'detailed',
  'live',
  'monthly',
  'cheap',
  'official',
  'random',
]
const QUESTIONS = [
  'will it rain in Paris tomorrow, and which train should I take?',
  'find cheap hotels near the airport and compare their prices',
  'translate this sentence into Chinese: "where is the station"',
  '查询今天的天气预报，然后帮我订一张火车票',
  'which songs of this player are popular, and what do the lyrics say about movies?',
  'track my parcel',
]

/** Tools as ToolBench describes those of RapidAPI, no two alike. */
function description() {
  return Array.from({ length: MANY_TOOLS / 5 }, (_, n) => {
    const [thing, quality] = [THINGS[n % THINGS.length], QUALITIES[Math.floor(n / THINGS.length) % QUALITIES.length]]
    return {
      tool_name: `${quality} ${thing} ${n}`,
      tool_description: `Everything about a ${thing}: ${quality} data of many countries, with prices and places, as JSON.`,
      api_list: Array.from({ length: 5 }, (_, at) => {
        const [verb, other] = [VERBS[(n + at) % VERBS.length], THINGS[(n * 7 + at * 3) % THINGS.length]]
        return {
          name: `${verb} ${thing} ${other}`,
          url: `https://tools.example/${n}/${at}`,
          method: 'GET',
          description: `${verb} the ${quality} ${thing} for a ${other}, by its name, its date or the city where it is.`,
          required_parameters: [{ name: `${other}_name`, type: 'STRING', description: `Name of the ${other}.` }],
          optional_parameters: [{ name: 'date', type: 'STRING', description: 'Day, as 2026-11-21.' }],
        }
      }),
    }
  })
}

interface Asking {
  post(path: string, body: unknown): Promise<unknown>
  remove(path: string): Promise<unknown>
  readonly node: { post(path: string, body: object): Promise<void> }
}

/** Milliseconds of a question among MANY_TOOLS: the first one, one after a tool was added, and any other. */
export async function questionsAmongMany(
  { post, remove, node }: Asking,
  quick: boolean,
  progress: (done: number) => void,
) {
  const ask = (n: number) => node.post('/retrieving_tools', { question: QUESTIONS[n % QUESTIONS.length] ?? '' })
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  await post('/v1/apis', { env: 'Many', rapidapi: description() })
  const first = await timed(() => ask(0))
  let questions = 0
  const { floor, question } = await compare(
    { floor: () => post('/floor/insert', { text: 'x'.repeat(100) }), question: () => ask(questions++) },
    { rounds: quick ? 4 : 16, perRound: 48, concurrent: 1 },
    progress,
  )
  const fresh: number[] = []
  for (let n = 0; n < 12; n++) {
    const [tool] = description()
    await post('/v1/apis', { env: 'One', rapidapi: { ...tool, tool_name: `changed ${n}` } })
    fresh.push(await timed(() => ask(n)))
  }
  await remove('/v1/apis/One')
  await remove('/v1/apis/Many')
  return { floor, question, first, fresh: fresh.sort((a, b) => a - b)[fresh.length >> 1] ?? 0 }
}
