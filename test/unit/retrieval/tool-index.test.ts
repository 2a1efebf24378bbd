import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAX_FINDABLE_TOOLS } from '../../../src/core/limits/tool-search.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import { ToolIndex } from '../../../src/retrieval/tool-index.ts'
import { type FindableTool, toolTerms } from '../../../src/retrieval/tool-terms.ts'
import { naiveToolSearch } from '../../support/naive-tool-search.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const NEIGHBOURS = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)

const TOOLS: readonly FindableTool[] = [
  {
    id: 'weather/forecast',
    name: 'getWeatherForecast',
    toolkit: 'WeatherKit',
    description: 'Forecast of temperature and rain for a city',
    parameters: [{ name: 'city', description: 'name of the city' }, { name: 'days' }],
    category: 'Weather',
  },
  {
    id: 'files/write',
    name: 'file_write',
    description: '用于将内容写入指定文件。如果文件不存在，将创建新文件。',
    parameters: [{ name: 'file_path', description: '要写入内容的文件路径' }],
  },
  { id: 'files/delete', name: 'file_delete', description: '用于删除指定路径的文件' },
  { id: 'bank/balance', name: 'query_balance', description: '查询指定日期的账户余额' },
  { id: 'mail/send', name: 'send_email', description: 'Sends an email to a recipient' },
  { id: 'movies/search', name: 'search_films', description: 'Looks for films by title or by director' },
  { id: 'stocks/quote', name: 'stock_quote', description: 'Latest price of a share', returns: 'price currency' },
]

function indexOf(tools: readonly FindableTool[], neighbours?: Neighbours): ToolIndex {
  const index = new ToolIndex(neighbours)
  for (const tool of tools) index.put(tool)
  return index
}

const first = (index: ToolIndex, question: string) => index.search(question)[0]?.id
const ids = (index: ToolIndex, question: string, limit = 10) => index.search(question, { limit }).map(({ id }) => id)

describe('finding', () => {
  const index = indexOf(TOOLS, NEIGHBOURS)

  it.each([
    ['Will it rain in Paris tomorrow?', 'weather/forecast'],
    ['get the weather forecasts', 'weather/forecast'],
    ['which directors made which titles', 'movies/search'],
    ['我想查一下我的账户余额', 'bank/balance'],
    ['把这段内容写入一个文件', 'files/write'],
    ['send emails', 'mail/send'],
  ])('%s: %s', (question, id) => {
    expect(first(index, question)).toBe(id)
  })

  it('finds a word that is near in meaning where the word itself is nowhere', () => {
    expect(first(index, 'a good movie')).toBe('movies/search')
    expect(ids(indexOf(TOOLS), 'a good movie')).toEqual([])
  })

  it('finds tools described in English by a Chinese question', () => {
    expect(first(index, '明天北京的天气怎么样')).toBe('weather/forecast')
    expect(first(index, '给张三发送邮件')).toBe('mail/send')
  })

  it('finds tools described in Chinese by an English question', () => {
    expect(first(index, 'delete this file')).toBe('files/delete')
    expect(first(index, 'what is left on my account?')).toBe('bank/balance')
  })

  it('reads traditional characters as simplified ones, in questions and in tools', () => {
    expect(first(index, '刪除這個檔案')).toBe('files/delete')
    const traditional = indexOf([{ id: 'balance', name: 'x', description: '查詢帳戶餘額' }])
    expect(first(traditional, '账户余额')).toBe('balance')
    expect(first(traditional, 'account balance')).toBe('balance')
  })

  it('finds each of the tools that a question of several parts needs', () => {
    const found = ids(index, 'Tell me the price of one share of Apple, and then send it to my boss by email', 2)
    expect(found.sort()).toEqual(['mail/send', 'stocks/quote'])
  })

  it('finds each of the tools that a Chinese question of several sentences needs', () => {
    const found = ids(index, '我想知道我的银行账户还剩多少余额。然后请把这个结果写入一个新的文件。', 2)
    expect(found.sort()).toEqual(['bank/balance', 'files/write'])
  })

  it('asks less by what is quoted than by the rest', () => {
    const question = '"Forecast of rain for the city": send this by email'
    expect(first(index, question)).toBe('mail/send')
    expect(first(index, question.replaceAll('"', ''))).toBe('weather/forecast')
  })

  it('finds nothing when nothing of the question is known', () => {
    expect(index.search('zyxwv')).toEqual([])
    expect(index.search('')).toEqual([])
    expect(index.search('?!…')).toEqual([])
    expect(new ToolIndex().search('weather')).toEqual([])
  })

  it('names no more than it is asked for, the best of them', () => {
    const all = ids(index, 'search files and films and prices', 100)
    expect(all.length).toBeGreaterThan(3)
    expect(ids(index, 'search files and films and prices', 3)).toEqual(all.slice(0, 3))
  })

  it('names only what is permitted, in the order that it has without the others', () => {
    const found = index.search('write or delete a file', { permitted: (id) => id !== 'files/write' })
    expect(found[0]?.id).toBe('files/delete')
    expect(found.map(({ id }) => id)).not.toContain('files/write')
    expect(index.search('write a file', { permitted: () => false })).toEqual([])
  })

  it('always gives the same answer', () => {
    const question = 'search a file, the weather and the price; 查询余额'
    const answer = index.search(question)
    expect(index.search(question)).toEqual(answer)
    expect(indexOf(TOOLS, NEIGHBOURS).search(question)).toEqual(answer)
  })

  it('puts equals in the order of their ids', () => {
    const same = indexOf(['c', 'a', 'b'].map((id) => ({ id, name: 'ping' })))
    expect(ids(same, 'ping')).toEqual(['a', 'b', 'c'])
  })
})

describe('changing', () => {
  it('finds a new tool at once, and what a changed one now is', () => {
    const index = indexOf(TOOLS)
    expect(ids(index, 'translate')).toEqual([])
    index.put({ id: 'text/translate', name: 'translate' })
    expect(first(index, 'translate')).toBe('text/translate')
    index.put({ id: 'text/translate', name: 'spell_check' })
    expect(ids(index, 'translate')).toEqual([])
    expect(first(index, 'check the spelling')).toBe('text/translate')
    expect(index.size).toBe(TOOLS.length + 1)
  })

  it('no longer finds what was removed', () => {
    const index = indexOf(TOOLS)
    expect(index.remove('mail/send')).toBe(true)
    expect(index.remove('mail/send')).toBe(false)
    expect(index.has('mail/send')).toBe(false)
    expect(ids(index, 'send an email')).not.toContain('mail/send')
  })

  it('answers the same from what was stored of the tools', () => {
    const stored = JSON.parse(JSON.stringify(TOOLS.map(toolTerms)))
    const restored = new ToolIndex(NEIGHBOURS)
    for (const tool of stored) restored.put(tool)
    for (const question of ['rain in a city', '账户余额', 'price of a share and send email']) {
      expect(restored.search(question)).toEqual(indexOf(TOOLS, NEIGHBOURS).search(question))
    }
  })

  it('says what to do when there are too many tools, and goes on with those it has', () => {
    const index = new ToolIndex()
    for (let n = 0; n < MAX_FINDABLE_TOOLS; n++) index.put({ id: `${n}`, name: 'ping' })
    expect(() => index.put({ id: 'one more', name: 'ping' })).toThrow(/MAX_FINDABLE_TOOLS/)
    index.put({ id: '7', name: 'pong' })
    expect(ids(index, 'pong')).toEqual(['7'])
    index.remove('8')
    index.put({ id: 'one more', name: 'peng' })
    expect(ids(index, 'peng')).toEqual(['one more'])
  })

  it('takes descriptions only until together they are too long, and nothing of one that is refused', () => {
    const long = Array.from({ length: 1_300 }, (_, n) => n.toString(36)).join(' ')
    const index = new ToolIndex()
    const fill = () => {
      for (let n = 0; n < MAX_FINDABLE_TOOLS; n++) {
        index.put({ id: `${n}`, name: `t${n}`, description: long, category: long, returns: long })
      }
    }
    expect(fill).toThrow(/MAX_FINDABLE_TERMS/)
    const { size } = index
    expect(index.has(`${size}`)).toBe(false)
    expect(ids(index, `t${size - 1}`, 1)).toEqual([`${size - 1}`])
  })
})

describe('ranking', () => {
  const WORDS = [
    ...'file weather stock mail city price send search read write delete forecast movie film account rain'.split(' '),
    ...['getFile', 'sendMail', 'HTTPServer', 'file_path', '文件', '删除文件', '天气', '查询余额', '写入', '余额'],
  ]

  it('is that of the plain definition, whatever was put and removed before', () => {
    const random = randomNumbers(7)
    const text = (words: number) => Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ')
    for (let round = 0; round < 25; round++) {
      const index = new ToolIndex(NEIGHBOURS)
      const there = new Map<string, FindableTool>()
      for (let step = 0; step < 90; step++) {
        const id = `tool-${random(30)}`
        if (random(3) === 0) {
          expect(index.remove(id)).toBe(there.delete(id))
          continue
        }
        const tool = {
          id,
          name: text(1 + random(2)),
          toolkit: text(random(2)),
          description: text(random(8)),
          parameters: [{ name: text(1), description: text(random(3)) }],
          category: text(random(2)),
        }
        there.set(id, tool)
        index.put(tool)
      }
      const question = `${text(2 + random(4))}${['. ', ' and ', ', then ', '，'][random(4)]}${text(2)} "${text(2)}"`
      const expected = naiveToolSearch([...there.values()].map(toolTerms), question, NEIGHBOURS)
      const found = index.search(question, { limit: 100 })
      expect(found.length).toBe(expected.length)
      const scores = new Map(expected.map(({ id, score }) => [id, score]))
      for (const { id, score } of found) expect(score).toBeCloseTo(scores.get(id) ?? -1, 9)
      // Sums in another order differ in their last digit, so that near equals may change places.
      expect(found.map(({ score }) => score.toFixed(9))).toEqual(expected.map(({ score }) => score.toFixed(9)))
    }
  })
})

describe('hostile texts', () => {
  const index = indexOf(
    [...TOOLS, { id: '__proto__', name: 'constructor', description: 'hasOwnProperty toString __proto__' }],
    NEIGHBOURS,
  )

  it.each([
    ['a long question', 'file '.repeat(1_000_000)],
    ['a long word', 'x'.repeat(2_000_000)],
    ['a long Chinese question', '删除文件'.repeat(500_000)],
    ['many clauses', 'a file, and then '.repeat(100_000)],
    ['open quotation marks', `${'"'.repeat(50_000)}${"'".repeat(50_000)}${'“'.repeat(50_000)}`],
    ['much space', `file${' '.repeat(1_000_000)}weather`],
    ['capital letters', 'Aa'.repeat(500_000)],
    ['lone surrogates', '\ud800 file \udc00\ud800'],
    ['control characters', '\u0000\u0007file\u202e\ufeff'],
  ])('%s is soon answered', async (_, question) => {
    await expectCost(() => index.search(question), { below: () => 30 * plainPassMs(question.length) })
  })

  it('are words like any other', () => {
    expect(first(index, '__proto__ constructor')).toBe('__proto__')
    expect(first(index, 'toString')).toBe('__proto__')
  })

  it('as a tool are soon taken in', async () => {
    const huge = 'Aa 删除文件 "x" '.repeat(300_000)
    await expectCost(
      () => {
        const parameters = Array.from({ length: 1_000 }, () => ({
          name: huge.slice(0, 1_000),
          description: huge.slice(0, 1_000),
        }))
        new ToolIndex().put({ id: huge, name: huge, toolkit: huge, description: huge, parameters, returns: huge })
      },
      { below: () => 30 * plainPassMs(huge.length) },
    )
  })
})

describe('Neighbours', () => {
  it('refuses bytes of another kind', () => {
    expect(() => new Neighbours(new ArrayBuffer(64))).toThrow(RangeError)
    expect(() => new Neighbours(new ArrayBuffer(2))).toThrow(RangeError)
  })
})

/** @returns a source of whole numbers below what it is asked for, the same for the same seed */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % below
  }
}
