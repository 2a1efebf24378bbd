/**
 * A reading process: takes readings from stdin, one after the other, and writes the answer of each to descriptor 3, where no
 * library prints. Its parent ends it when a reading takes too long.
 */
import { createWriteStream } from 'node:fs'
import { MAX_READER_BODY_BYTES } from '../core/limits/reader.ts'
import { answerOf } from '../reader/read.ts'
import { decodeReading } from '../reader/wire.ts'
import { frames, writeFrame } from './frames.ts'

// pdf.js leaves promises behind that fail after their page was answered: no request waits for them, and the process goes
// on.
process.on('unhandledRejection', () => {})

const NEVER = new AbortController().signal
const answers = createWriteStream('', { fd: 3 })

for await (const body of frames(process.stdin, MAX_READER_BODY_BYTES)) {
  const answer = JSON.stringify(await answerOf(decodeReading(body), NEVER))
  writeFrame(answers, Buffer.from(answer))
}
