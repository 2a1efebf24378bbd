import type { Caller } from '../caller.ts'
import { synthetic } from '../papers-synthetic.ts'

/** Papers of the library that is searched: a group's reading list. */
const PAPERS = 1_000
const PAPERS_AT_ONCE = 100
const CONTENT = 'x'.repeat(2_000)
const TOOL = 'cost.answer'

/** A kind of call whose cost is counted. */
export interface CostedWork {
  readonly what: string
  /** Name of the session that the calls are of. */
  readonly session: string
  /** Makes what the calls need. */
  readonly prepare: (session: string) => Promise<void>
  /** One call, each time with other arguments. @returns seconds in which it used a sandbox */
  readonly call: (session: string, number: number) => Promise<number>
}

interface Answered {
  readonly receipt?: { readonly executed_on: string } & Readonly<Record<'boot_ms' | 'sync_ms' | 'exec_ms', number>>
}

/** Calls whose costs are counted. @param service address that a registered tool of Toolcore calls */
export function costedWorks(call: Caller, service: string): readonly CostedWork[] {
  const run = async (session: string, tool: string, args: object): Promise<number> => {
    const { receipt } = (await call.post(`/v1/sessions/${session}/calls`, { tool, arguments: args })) as Answered
    if (!receipt || receipt.executed_on === 'edge') return 0
    return (receipt.boot_ms + receipt.sync_ms + receipt.exec_ms) / 1_000
  }
  const write = (session: string, file_path: string, number: number) =>
    run(session, 'file_write', { file_path, content: `${session} ${number} ${CONTENT}` })
  const shell = (session: string, command: string) => run(session, 'execute_shell', { command })
  const one = (session: string) => async () => void (await call.create(session))
  const { paper, queries } = synthetic(1)
  const works: readonly Omit<CostedWork, 'session'>[] = [
    {
      what: 'file_write, a new path',
      prepare: async (session) => void (await one(session)()),
      call: (session, number) => write(session, `notes/new-${number}.txt`, number),
    },
    {
      what: 'file_write, an existing path',
      prepare: async (session) => {
        await one(session)()
        await write(session, 'notes/same.txt', -1)
      },
      call: (session, number) => write(session, 'notes/same.txt', number),
    },
    {
      what: 'file_read',
      prepare: async (session) => {
        await one(session)()
        await write(session, 'notes/read.txt', -1)
      },
      call: (session) => run(session, 'file_read', { file_path: 'notes/read.txt' }),
    },
    {
      what: 'execute_shell, no change',
      prepare: async (session) => {
        await one(session)()
        await shell(session, 'true')
      },
      call: (session) => shell(session, 'true'),
    },
    {
      what: 'execute_shell, one file changed',
      prepare: async (session) => {
        await one(session)()
        await shell(session, 'true')
      },
      call: (session, number) => shell(session, `echo '${session} ${number} ${CONTENT}' > out.txt`),
    },
    {
      what: 'a call by Toolcore',
      prepare: async () => {
        const executor = { kind: 'http', target: service }
        await call.post('/v1/tools/import', {
          tools: [{ id: TOOL, name: TOOL, description: 'Answers.', input_schema: {}, executor }],
        })
      },
      call: async (agent) => {
        await call.answer('/internal/tools/call', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Internal-Secret': 'dev-secret-token' },
          body: JSON.stringify({ tool_id: TOOL, agent_id: agent, microdao_id: 'bench' }),
        })
        return 0
      },
    },
    {
      what: `a paper search, ${PAPERS.toLocaleString('en')} papers`,
      prepare: async (session) => {
        await one(session)()
        for (let first = 0; first < PAPERS; first += PAPERS_AT_ONCE) {
          const papers = Array.from({ length: PAPERS_AT_ONCE }, (_, at) => paper(first + at))
          await call.post('/v1/papers', {
            papers: papers.map(({ fileId: id, title, abstract, year }) => ({ id, title, abstract, year })),
          })
        }
      },
      call: (session) => run(session, 'rag_search_abstracts', { query: queries['a few words']() }),
    },
  ]
  return works.map((work, at) => ({ ...work, session: `cost-${at}` }))
}
