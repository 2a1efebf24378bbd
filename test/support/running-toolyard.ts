import { afterAll, beforeAll } from 'vitest'
import { startToolyard, type Toolyard, type ToolyardOptions } from './toolyard.ts'

/** One server for all tests of a file. @returns a function that gives the server, once tests run */
export function runningToolyard(options: () => Promise<ToolyardOptions>): () => Toolyard {
  let running: Toolyard | undefined
  beforeAll(async () => {
    running = await startToolyard(await options())
  })
  afterAll(async () => {
    await running?.stop()
  })
  return () => {
    if (!running) throw new Error('the server is asked before it was started')
    return running
  }
}
