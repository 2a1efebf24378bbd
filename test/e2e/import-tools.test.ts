import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newTenant } from '../support/tenants.ts'
import { startToolyard, type Toolyard } from '../support/toolyard.ts'

let server: Toolyard
let directory: string
beforeAll(async () => {
  server = await startToolyard()
})
afterAll(() => server.stop())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolyard-import-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Runs the script as npm does, and waits for its end. */
const run = (...words: string[]) => runWith({ TOOLYARD_BASE_URL: server.url }, ...words)

async function runWith(
  more: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<{ code: number | null; out: string; errors: string }> {
  const env = { ...process.env, INIT_CWD: directory, TOOLYARD_BASE_URL: '', TOOLYARD_API_KEY: '', ...more }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['scripts/import-tools.mjs', ...words], { env }, (_, out, errors) =>
      resolve({ code: child.exitCode, out, errors }),
    )
  })
}

const save = (text: string, name = 'config.yaml') => writeFile(join(directory, name), text)
const tool = (id: string, more = '') => `  - id: ${id}
    name: "List Projects"
    description: "Returns a list of projects for a microDAO"
    input_schema: {type: "object", required: ["microdao_id"]}
    output_schema: {type: "array", items: {type: "object"}}
    executor: "http"
    target: "http://projects-service:8000/internal/tools/projects.list"
    allowed_agents: ["agent:sofia", "agent:pm"]
${more}`

describe('npm run tools:import', () => {
  it('finds the local server at PORT, where npm start put it', async () => {
    await save('tools: []\n')
    const { port } = new URL(server.url)
    expect(await runWith({ PORT: port }, 'config.yaml')).toMatchObject({ code: 0, errors: '' })
    const nowhere = await runWith({ PORT: '1' }, 'config.yaml')
    expect(nowhere).toMatchObject({ code: 2, errors: expect.stringContaining('http://localhost:1 cannot be reached') })
  })

  it('says of a tool that is put and cannot work what it lacks', async () => {
    await save(
      `tools:\n${tool('text.count')
        .replace('"http"', '"python"')
        .replace(/target: .*/, 'target: "text:count"')}`,
    )
    expect(await run('config.yaml', '--source', 'without-code')).toEqual({
      code: 0,
      out:
        'created   text.count version 1, but no call of it can work: there is no code; give source or files, or name a requirement that brings the module\n' +
        '1 created, 0 updated, 0 unchanged, 0 deleted\n',
      errors: '',
    })
    await save('tools: []')
    expect(await run('config.yaml', '--source', 'without-code', '--replace')).toMatchObject({ code: 0 })
  })

  it("puts Toolcore's config.yaml into the local server, says what became of each tool, and can do it again", async () => {
    await save(
      `tools:\n${tool('projects.list')}${tool('task.create', '    timeout: 15\n')}logging: {log_calls: true}\n`,
    )
    expect(await run('config.yaml')).toEqual({
      code: 0,
      out: 'created   projects.list version 1\ncreated   task.create version 1\n2 created, 0 updated, 0 unchanged, 0 deleted\n',
      errors: '',
    })
    expect(await run('config.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('2 unchanged') })

    const narrower = tool('projects.list').replace('["microdao_id"]', '["microdao_id", "page"]')
    await save(`tools:\n${narrower}`)
    const rehearsed = await run('config.yaml', '--replace', '--dry-run')
    expect(rehearsed).toMatchObject({ code: 0, out: expect.stringMatching(/ version 2, breaks .*; a dry run/s) })
    expect(await run('config.yaml', '--replace')).toMatchObject({
      code: 0,
      out:
        'updated   projects.list version 2, breaks callers of the one before\n' +
        'deleted   task.create\n0 created, 1 updated, 0 unchanged, 1 deleted\n',
    })
    const secret = { 'X-Internal-Secret': 'dev-secret-token' }
    const listed = await fetch(`${server.url}/internal/tools?agent_id=agent:pm`, { headers: secret })
    expect(await listed.json()).toMatchObject({ total: 1, tools: [{ id: 'projects.list' }] })
  })

  it('names each place that is wrong, as compilers do, and changes nothing', async () => {
    await save(`tools:\n${tool('a', '    timeout: soon\n')}${tool('b', '    enabled: maybe\n')}`)
    expect(await run('config.yaml')).toEqual({
      code: 1,
      out: '',
      errors:
        'config.yaml:10:5: tools[0].timeout: must be a whole number of seconds\n' +
        'config.yaml:19:5: tools[1].enabled: must be true or false\nnothing was changed\n',
    })
    await save('tools: [\n', 'broken.yaml')
    expect(await run('broken.yaml')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^broken\.yaml:\d+:\d+: /),
    })
  })

  it('says what to do when it cannot send it', async () => {
    expect(await run('missing.yaml')).toMatchObject({ code: 2, errors: 'missing.yaml cannot be read: ENOENT\n' })
    expect(await run()).toMatchObject({ code: 2, errors: expect.stringContaining('usage: ') })
    expect(await run('a', '--wrong')).toMatchObject({ code: 2, errors: expect.stringContaining('usage: ') })
    await save('tools: []')
    const { key } = await newTenant(server)
    expect(await run('config.yaml', '--key', key)).toMatchObject({ code: 2, errors: expect.stringContaining('admin') })
    expect(await run('config.yaml', '--url', 'http://127.0.0.1:1')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('cannot be reached'),
    })
  })
})
