import type { Tool } from '@modelcontextprotocol/server'
import { type Fixture, fixture, pause, text } from './fixture.ts'
import { PNG, WAV } from './media.ts'

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const

/** Tools of which a scenario looks at the result, its messages on the way, or its entry in the list. */
export const RESULTS: readonly Fixture[] = [
  fixture('test_simple_text', 'Gives a text.', () => text('This is a simple text response for testing.')),
  fixture('test_image_content', 'Gives an image.', () => ({ content: [image] })),
  fixture('test_audio_content', 'Gives a sound.', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  fixture('test_embedded_resource', 'Gives a resource.', () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
      },
    ],
  })),
  fixture('test_multiple_content_types', 'Gives a text, an image and a resource.', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  })),
  fixture('test_error_handling', 'Fails.', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  fixture('test_tool_with_logging', 'Logs three lines.', async (_, { mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', line)
      await pause()
    }
    return text('Three lines were logged.')
  }),
  fixture('test_tool_with_progress', 'Reports its progress three times.', async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      await pause()
    }
    return text('The progress was reported.')
  }),
  fixture('test_logging_tool', 'Logs a line, to clients that want it.', async (_, { mcpReq }) => {
    await mcpReq.log('info', 'a line')
    return text('A line was logged.')
  }),
  fixture('test_reconnection', 'Ends its stream before its result.', async (_, { http }) => {
    http?.closeSSE?.()
    await pause()
    return text('The client came back.')
  }),
  fixture('test_x_mcp_header', 'Takes an argument that a header repeats.', ({ region }) => text(`region ${region}`), {
    region: { type: 'string', 'x-mcp-header': 'Region' },
  }),
  { tool: schemaTool(), run: () => text('The arguments fit.') },
]

/** Tool whose schema has what a list must not lose. The suite prescribes it. */
function schemaTool(): Tool {
  const string = { type: 'string' }
  return {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
      properties: {
        name: string,
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: string,
        email: string,
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  }
}
