import { describe, expect, it } from 'vitest'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolbench } from '../../../support/toolbench.ts'

/** A task as a command leaves it that made `app/node_modules/lodash/a.js`: the directory comes, its content does not. */
async function bench() {
  const made = toolbench(catalog)
  await made.workspace.commit([{ op: 'mkdir', path: workspacePath('app/node_modules') }])
  await made.put('app/.cache/a.js', 'x')
  await made.put('app/main.py', 'print()')
  return made
}

const NOTE = 'kept in the sandbox only, so not seen here: what is in app/node_modules; a command can look there'

describe('what a command wrote into node_modules', () => {
  it.each([
    ['file_read', { file_path: 'app/node_modules/lodash/a.js' }, 'File'],
    ['file_info', { file_path: 'app/node_modules/lodash/a.js' }, 'File'],
    ['file_edit', { file_path: 'app/node_modules/lodash/a.js', old_text: 'x', new_text: 'y' }, 'File'],
    ['file_search', { file_path: 'app/node_modules/lodash/a.js', search_text: 'x' }, 'File'],
    ['file_search', { dir_path: 'app/node_modules/lodash/a.js', search_text: 'x' }, 'Directory'],
    ['file_glob', { dir_path: 'app/node_modules/lodash/a.js', pattern: '*' }, 'Directory'],
    ['dir_list', { dir_path: 'app/node_modules/lodash/a.js' }, 'Directory'],
    ['file_copy', { src_path: 'app/node_modules/lodash/a.js', dest_path: 'b.js' }, 'Source'],
  ])('is not found by %s with %j, which says where it is', async (name, args, what) => {
    const { failure } = await bench()
    expect(await failure(name, args)).toEqual({
      code: 'not_found',
      message: `${what} not found: app/node_modules/lodash/a.js; what is in app/node_modules is kept in the sandbox only; use execute_shell there`,
    })
  })

  it.each([
    ['dir_list', { dir_path: 'app/node_modules' }],
    ['dir_list', { dir_path: 'app', recursive: true }],
    ['file_info', { file_path: 'app/node_modules' }],
    ['file_search', { search_text: 'lodash' }],
    ['file_search', { search_text: 'print', all_directories: true }],
    ['file_search', { dir_path: 'app/node_modules', search_text: 'x' }],
    ['file_glob', { pattern: '**/*.cjs' }],
    ['file_glob', { pattern: 'app/node_modules/**' }],
    ['file_glob', { pattern: '**/*.py', all_directories: true }],
    ['file_glob', { dir_path: 'app/node_modules', pattern: '**' }],
  ])('is not in the answer of %s with %j, which says so', async (name, args) => {
    const { data, call } = await bench()
    expect(await data(name, args)).toMatchObject({ notes: [NOTE] })
    expect((await call(name, args)).text).toContain(`[${NOTE}]`)
  })

  it.each([
    ['dir_list', { dir_path: 'app' }],
    ['dir_list', { dir_path: 'app/.cache', recursive: true }],
    ['file_search', { search_text: 'print' }],
    ['file_glob', { pattern: '**/*.py' }],
    ['file_info', { file_path: 'app' }],
  ])('is not spoken of where nobody misses it, as by %s with %j', async (name, args) => {
    const { data } = await bench()
    expect(await data(name, args)).not.toHaveProperty('notes')
  })

  it('is spoken of by the task’s own list, which .toolyardignore changes', async () => {
    const { data, failure, put, workspace } = await bench()
    await workspace.commit([{ op: 'mkdir', path: workspacePath('app/target') }])
    await put('.toolyardignore', 'target\n')
    expect(await data('dir_list', { dir_path: 'app', recursive: true })).toMatchObject({
      notes: [NOTE.replace('node_modules', 'target')],
    })
    expect((await failure('file_read', { file_path: 'app/node_modules/b.js' })).message).toBe(
      'File not found: app/node_modules/b.js; dir_list shows what exists',
    )
  })

  it('is not guessed at in a directory that is not there', async () => {
    const { failure } = await bench()
    expect((await failure('file_read', { file_path: 'lib/node_modules/a.js' })).message).toBe(
      'File not found: lib/node_modules/a.js; did you mean app/.cache/a.js?',
    )
  })
})
