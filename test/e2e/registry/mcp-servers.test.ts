import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { everythingServer } from '../../support/mcp-bridge.ts'
import { startToolyard } from '../../support/toolyard.ts'

it('serves the tools of a remote MCP server to every dialect, to chains and to clients of MCP', async () => {
  const { url, host } = await everythingServer()
  const toolyard = await startToolyard({ vars: { DANGEROUSLY_ALLOW_HOSTS: host } })
  onTestFinished(() => toolyard.stop())
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(toolyard.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const added = await send('POST', '/v1/mcp-servers', { name: 'everything', url, deny: ['get-env'] })
  expect(added).toMatchObject({ status: 201, body: { refused: 1, quarantined: 0 } })
  expect(await send('POST', '/v1/sessions', { name: 'remote' })).toMatchObject({ status: 201 })

  const calls = '/v1/sessions/remote/calls'
  expect(await send('POST', calls, { tool: 'everything_get_sum', arguments: { a: 2, b: 40 } })).toMatchObject({
    status: 200,
    body: { state: 'done', text: expect.stringContaining('42') },
  })
  const chain = {
    steps: [{ id: 'say', tool: 'everything_echo', input: { message: '${{ input.word }}' } }],
    output: '${{ steps.say.result.result }}',
  }
  const put = await send('PUT', '/v1/tools/registered/shout', {
    ...{
      name: 'Shout',
      description: 'Says a word.',
      input_schema: { type: 'object', properties: { word: { type: 'string' } } },
    },
    executor: { kind: 'chain', chain },
  })
  expect(put.status).toBe(201)
  expect((await send('POST', calls, { tool: 'shout', arguments: { word: 'hey' } })).body).toMatchObject({
    data: { output: 'Echo: hey' },
  })
  const kit = await send('GET', '/v1/tools?toolkit=everything')
  expect((kit.body.data as { name: string }[]).map(({ name }) => name)).toContain('everything_get_tiny_image')
  const lagent = await fetch(`${toolyard.url}/lagent/tools`)
  expect(await lagent.text()).toContain('everything_echo')

  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${toolyard.url}/mcp/s/remote?tools=search`)))
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'sum of two numbers' } })
  expect(JSON.stringify(found.content)).toContain('everything_get_sum')
  const picture = await client.callTool({
    name: 'call_tool',
    arguments: { name: 'everything_get_tiny_image', arguments: {} },
  })
  expect((picture.content as { type: string }[]).map(({ type }) => type)).toContain('image')
  await client.close()

  await expect
    .poll(async () => JSON.stringify((await send('GET', '/v1/usage?group_by=tool')).body))
    .toContain('everything_get_sum')
})
