import { describe, expect, it } from 'vitest'
import { catalog } from '../../../src/tools/catalog.ts'
import { toolbench } from '../../support/toolbench.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

describe('the catalog', () => {
  it('has the tools in the published order', () => {
    expect(catalog.list().map(({ name }) => name)).toEqual([
      'file_upload',
      'file_read',
      'file_write',
      'file_replace_lines',
      'file_delete',
      'file_move',
      'dir_create',
      'dir_list',
      'execute_code',
      'execute_shell',
      'pip_install',
      'git_clone',
      'parse_document',
      'code_task_execute',
      'tex2pdf_convert',
      'google_search',
      'crawl_page',
      'google_scholar_search',
      'github_search_repositories',
      'github_get_repository_info',
      'rag_health_check',
      'rag_get_stats',
      'rag_search_abstracts',
      'rag_search_abstracts_filtered',
      'rag_search_details',
      'rag_get_paper_content',
      'rag_get_paper_chunks',
      'rag_get_specific_content',
      'rag_cache_stats',
      'rag_cache_clear',
      'rag_service_info',
      'file_search',
      'file_copy',
      'download_file_from_url',
      'file_lock',
      'file_unlock',
      'list_locks',
      'check_lock',
      'human_in_loop',
      'file_edit',
      'file_patch',
      'file_glob',
      'file_info',
      'image_read',
      'job_output',
      'job_stop',
      'job_list',
    ])
  })

  it('has tools in toolkits that it does not list, and runs them', async () => {
    const listed = new Set(catalog.list().map(({ name }) => name))
    const inToolkits = catalog.toolkits().flatMap(({ tools }) => tools.map(({ name }) => name))
    expect(inToolkits.filter((name) => listed.has(name))).toEqual([])
    expect(await toolbench(catalog).data('calculate', { expression: '1 + 1' })).toMatchObject({ result: 2 })
  })

  it.each(catalog.toolkits())('tells a model what the toolkit $name is for', ({ description }) => {
    expect(description.length).toBeGreaterThan(10)
  })

  it.each([...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)])(
    'tells a model what $name and each of its arguments are for',
    ({ description, inputSchema }) => {
      expect(description.length).toBeGreaterThan(30)
      const { properties = {} } = inputSchema as Schema
      expect(Object.entries(properties).filter(([, schema]) => !schema.description)).toEqual([])
    },
  )

  it('shows the schemas that models see', async () => {
    const shown = [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)].map(
      ({ name, inputSchema: { properties, required } }) => ({ name, properties, required }),
    )
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot('catalog.schemas.snap')
  })

  it('answers an unknown tool, and ignores arguments that a tool does not know', async () => {
    const { failure, data, put } = toolbench(catalog)
    expect(await failure('no_such_tool', {})).toEqual({ code: 'not_found', message: 'Tool no_such_tool not found' })
    await put('a.txt', 'x')
    expect(await data('file_read', { file_path: 'a.txt', silent: true })).toMatchObject({ content: 'x' })
  })

  it('names every argument that does not fit', async () => {
    const { failure } = toolbench(catalog)
    const { message } = await failure('file_replace_lines', { file_path: '', start_line: '1.5', end_line: 2 })
    expect(message).toBe(
      'file_path is required; start_line: must be a whole number; missing required parameter: new_content',
    )
    expect((await failure('dir_list', { recursive: 'maybe' })).message).toBe('recursive: must be true or false')
  })
})
