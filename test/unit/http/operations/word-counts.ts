import type { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../../../../src/http/dialect.ts'
import { route } from '../../../../src/http/operations/route.ts'

const Text = z.strictObject({ text: z.string().max(10_000) }).meta({ id: 'CountedText' })
const WordCount = z.object({ words: z.int() }).meta({ id: 'WordCount' })

/** `POST /v1/word-counts` counts the words of a text. */
export function addWordCounts(app: Hono<AppEnv>): void {
  route(app, 'post', '/v1/word-counts', COUNT, (c, { body }) => {
    const words = body.text.split(/\s+/).filter((word) => word !== '').length
    return c.json({ words })
  })
}

const COUNT = {
  id: 'countWords',
  tag: 'words',
  summary: 'Count the words of a text',
  scope: 'read',
  body: Text,
  answers: { 200: { description: 'The number of its words.', content: WordCount } },
  problems: [],
  example: { body: { text: 'two words' }, status: 200 },
} as const
