import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { catalog } from '../../../../src/tools/catalog.ts'
import { lastWords } from '../../../../src/tools/packages/install-script.ts'
import { toolbench } from '../../../support/toolbench.ts'
import { offlinePip } from '../../../support/wheel.ts'

vi.setConfig({ testTimeout: 60_000 }) // pip is real

const NO_INDEX = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_FIND_LINKS: '' }
const NOTHING = { text: '', bytes: 0 }
const DONE = { exitCode: 0, timedOut: false, stdout: NOTHING, stderr: NOTHING, conflicts: [], notes: [], generation: 1 }

/** Build backend that needs no more than Python: whether `wheel` is installed differs between machines. */
const BACKEND = `
import zipfile

def build_wheel(directory, config=None, metadata=None):
    name = 'mypkg-1.0-py3-none-any.whl'
    with zipfile.ZipFile(f'{directory}/{name}', 'w') as wheel:
        wheel.writestr('mypkg.py', 'ANSWER = 42')
        wheel.writestr('mypkg-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: mypkg\\nVersion: 1.0\\n')
        wheel.writestr('mypkg-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        wheel.writestr('mypkg-1.0.dist-info/RECORD', '')
    return name
`

describe('pip_install', () => {
  it('installs each package into the virtual environment, and notes it for the next sandbox', async () => {
    const { data, put, installed } = toolbench(catalog, offlinePip(['alpha', 'beta']).env)
    const { results } = await data('pip_install', { packages: ['alpha', 'beta>=0.5,<2'] })
    expect(results).toEqual([
      {
        package: 'alpha',
        success: true,
        stdout: expect.stringContaining('Successfully installed alpha-1.0'),
        stderr: '',
      },
      { package: 'beta>=0.5,<2', success: true, stdout: expect.stringContaining('beta-1.0'), stderr: '' },
    ])
    expect(installed).toEqual(['alpha', 'beta>=0.5,<2'])
    await put('code_run/use.py', 'import alpha, beta; print(alpha.__file__)')
    expect(await data('execute_code', { file_path: 'code_run/use.py' })).toMatchObject({
      exit_code: 0,
      stdout: expect.stringContaining('/home/user/workspace/code_env/lib/'),
    })
  })

  it('returns the results of all when one fails, and says which and why', async () => {
    const { failure, installed } = toolbench(catalog, offlinePip(['alpha']).env)
    const failed = await failure('pip_install', { packages: ['nosuchpackage', 'alpha'] })
    expect(failed).toMatchObject({
      code: 'upstream',
      message:
        '1 of 2 packages could not be installed: nosuchpackage (ERROR: No matching distribution found for nosuchpackage)',
      data: {
        results: [
          { package: 'nosuchpackage', success: false, stderr: expect.stringContaining('ERROR') },
          { package: 'alpha', success: true },
        ],
      },
    })
    expect(installed).toEqual(['alpha'])
  })

  it('says in one line, and at once, that the index cannot be reached, and what is installed already', async () => {
    const { failure } = toolbench(catalog, NO_INDEX)
    const { message, data } = await failure('pip_install', { packages: ['nosuchpackage'] })
    const line =
      /^1 of 1 packages could not be installed: nosuchpackage \(ERROR: the package index cannot be reached from the sandbox: 127\.0\.0\.1:9 \(Connection refused\)\. Installed already: \w.*\)$/
    expect(message).toMatch(line)
    expect(message.length).toBeLessThan(400)
    expect(data).toMatchObject({ results: [{ success: false, stderr: expect.stringMatching(/^ERROR: [^\n]*\n$/) }] })
  })

  it('says once that the index cannot be reached, for all packages together', async () => {
    const { failure } = toolbench(catalog, NO_INDEX)
    const { message, data } = await failure('pip_install', { packages: ['nosuchpackage', 'nosuchother'] })
    expect(message).toMatch(
      /^2 of 2 packages could not be installed: nosuchpackage, nosuchother \(ERROR: the package index cannot be reached/,
    )
    expect(JSON.stringify({ message, data }).match(/Installed already/g)).toHaveLength(1)
  })

  it('builds a directory of the task without an index, by what is installed', async () => {
    const { data, put, installed } = toolbench(catalog, NO_INDEX)
    const build = 'requires = ["setuptools"]\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    await put('mypkg/pyproject.toml', `[project]\nname = "mypkg"\nversion = "1.0"\n[build-system]\n${build}`)
    await put('mypkg/backend.py', BACKEND)
    expect(await data('pip_install', { packages: ['./mypkg'] })).toMatchObject({ results: [{ success: true }] })
    expect(installed).toEqual(['./mypkg'])
    const code = 'import mypkg; print(mypkg.ANSWER)'
    expect(await data('execute_code', { code })).toMatchObject({ stdout: '42\n' })
  })

  it.each(['-r', '-r requirements.txt', '--requirement=requirements.txt'])(
    'says of %s that there is no such file, and no more',
    async (spec) => {
      const { failure } = toolbench(catalog)
      expect((await failure('pip_install', { packages: [spec, 'requirements.txt'] })).message).toMatch(
        /^"(?:-r |--requirement=)requirements\.txt" cannot be installed: there is no such file$/,
      )
    },
  )

  it.each([
    ['requests numpy', ['requests', 'numpy']],
    ['requests==2.31.0  uvicorn[standard]>=0.3,<1', ['requests==2.31.0', 'uvicorn[standard]>=0.3,<1']],
    ['./code_run/a ./code_run/b', ['./code_run/a', './code_run/b']],
  ])('takes %j as what stands in it', async (packages, specs) => {
    const { call, runner } = toolbench(catalog)
    const commands = vi.spyOn(runner, 'run').mockResolvedValue(DONE)
    await call('pip_install', { packages })
    expect(commands.mock.calls.map(([{ env }]) => env)).toEqual(specs.map((spec) => ({ TOOLYARD_REQUIREMENT: spec })))
  })

  it.each([[['-r', 'upload/requirements.txt']], [['-r upload/requirements.txt']], [['upload/requirements.txt']]])(
    'installs the packages that a file of the task names: %j',
    async (packages) => {
      const { data, put, installed } = toolbench(catalog, offlinePip(['alpha', 'beta']).env)
      await put('upload/requirements.txt', '# what we need\n\nalpha>=1  # the first\nbeta \\\n  >=0.5\r\n')
      const { results } = await data('pip_install', { packages })
      expect(results).toMatchObject([{ package: 'alpha>=1' }, { package: 'beta    >=0.5' }])
      expect(installed).toHaveLength(2)
    },
  )

  it.each([
    [['-r requirements.txt'], /cannot be installed: did you mean upload\/requirements\.txt\?$/],
    [
      ['-r', '/etc/passwd'],
      /"-r \/etc\/passwd" cannot be installed: it is outside of the task; options are not allowed/,
    ],
    [['-r ../x.txt'], /leaves the task directory/],
    [
      ['-r upload/other.txt'],
      /upload\/other\.txt has the line "--index-url https:\/\/x\.example", and options are not taken/,
    ],
    [['-e', '--index-url=x'], /options are not allowed/],
    [['-e', 'git+https://x.example/a'], /options are not allowed/],
    [['-e', '../x'], /leaves the task directory/],
    [['--no-build-isolation'], /packages names no package/],
  ])('runs nothing for %j', async (packages, message) => {
    const { failure, put, runner } = toolbench(catalog)
    await put('upload/requirements.txt', 'alpha')
    await put('upload/other.txt', 'alpha\n--index-url https://x.example\n')
    expect((await failure('pip_install', { packages })).message).toMatch(message)
    expect(runner.commands).toEqual([])
  })

  it('installs a directory so that its files are used where they are', async () => {
    const { data, installed, runner } = toolbench(catalog)
    vi.spyOn(runner, 'run').mockImplementation(async (command) => {
      runner.commands.push(command)
      return DONE
    })
    const packages = ['-e', './code_run/mini', '--no-build-isolation', '--editable=lib']
    expect(await data('pip_install', { packages })).toMatchObject({
      results: [{ package: '-e ./code_run/mini' }, { package: '--editable=lib' }],
      notes: [expect.stringMatching(/^--no-build-isolation has no effect here/)],
    })
    expect(runner.commands.map(({ env }) => env)).toEqual([
      { TOOLYARD_REQUIREMENT: './code_run/mini', TOOLYARD_EDITABLE: 'true' },
      { TOOLYARD_REQUIREMENT: './lib', TOOLYARD_EDITABLE: 'true' },
    ])
    expect(installed).toEqual(['./code_run/mini', './lib'])
  })

  it('needs no index for what is installed already', async () => {
    const { data } = toolbench(catalog, NO_INDEX)
    expect(await data('pip_install', { packages: ['pip'] })).toMatchObject({ results: [{ success: true, stderr: '' }] })
  })

  it('says briefly which versions exclude each other', () => {
    const stderr = `ERROR: Cannot install a==1 and b==2 because these package versions have conflicting dependencies.

The conflict is caused by:
    a 1 depends on c<2
    b 2 depends on c>=2

To fix this you could try to:
1. loosen the range of package versions you've specified

ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/
`
    expect(lastWords({ stdout: '', stderr })).toBe('versions conflict: a 1 depends on c<2; b 2 depends on c>=2')
  })

  it('takes one package without brackets, and a wheel of the task', async () => {
    const { directory, env } = offlinePip(['gamma'])
    const { data, put, installed } = toolbench(catalog, env)
    await put('upload/gamma-1.0-py3-none-any.whl', readFileSync(`${directory}/gamma-1.0-py3-none-any.whl`))
    const { results } = await data('pip_install', { packages: '/upload/gamma-1.0-py3-none-any.whl' })
    expect(results).toMatchObject([{ package: '/upload/gamma-1.0-py3-none-any.whl', success: true }])
    expect(installed).toEqual(['./upload/gamma-1.0-py3-none-any.whl'])
  })

  it.each([
    '-r requirements.txt',
    '--index-url=https://evil.example/simple',
    'requests --pre',
    'requests 2.31',
    'requests numpy==',
    'requests, numpy',
    'http://host/x.whl',
    'file:///etc/passwd.whl',
    'x @ file:///etc/x.whl',
    'x @ ./y.whl',
    'git+ssh://git@github.com/a/b',
    '../outside.whl',
    'a\nb',
    '',
    'x'.repeat(2_000),
  ])('refuses %j and runs nothing', async (spec) => {
    const { failure, runner } = toolbench(catalog)
    expect((await failure('pip_install', { packages: ['requests', spec] })).code).toBe('invalid_input')
    expect(runner.commands).toEqual([])
  })

  it.each([
    'requests',
    'numpy==2.1',
    'uvicorn[standard] >= 0.3',
    "tomli; python_version < '3.11'",
    'zope.interface~=5.0',
  ])('hands %j to pip as it is, out of reach of the shell', async (spec) => {
    const { call, runner } = toolbench(catalog)
    const commands = vi.spyOn(runner, 'run').mockResolvedValue(DONE)
    await call('pip_install', { packages: [spec] })
    expect(commands.mock.calls.map(([{ env }]) => env)).toEqual([{ TOOLYARD_REQUIREMENT: spec }])
  })

  it('asks for packages', async () => {
    const { failure } = toolbench(catalog)
    expect((await failure('pip_install', { packages: [] })).message).toBe('packages is required')
    expect((await failure('pip_install', { packages: '' })).message).toBe('packages is required')
    expect((await failure('pip_install', {})).message).toBe('missing required parameter: packages')
  })

  it('shows the credentials of a URL nowhere, and keeps them nowhere', async () => {
    const { failure, runner, installed } = toolbench(catalog, offlinePip([]).env)
    const spec = 'https://bot:pa%24%24word-tok@127.0.0.1:9/x-1.0-py3-none-any.whl'
    const failed = await failure('pip_install', { packages: [spec] })
    expect(failed.data).toMatchObject({ results: [{ package: 'https://***@127.0.0.1:9/x-1.0-py3-none-any.whl' }] })
    expect(JSON.stringify(failed)).not.toMatch(/word-tok/)
    expect(runner.commands[0]?.script).not.toMatch(/word-tok/)
    expect(runner.commands[0]?.secrets).toEqual(expect.arrayContaining(['pa$$word-tok', 'pa%24%24word-tok']))
    expect(runner.everything()).not.toMatch(/word-tok/)
    expect(installed).toEqual([])
    const refused = await failure('pip_install', { packages: ['http://bot:pa%24%24word-tok@host/x.whl'] })
    expect(refused.message).not.toMatch(/word-tok/)
  })

  it('makes the environment again when a command removed it', async () => {
    const { data } = toolbench(catalog, offlinePip(['alpha']).env)
    await data('pip_install', { packages: ['alpha'] })
    await data('execute_shell', { command: 'rm -rf code_env', workdir: '.' })
    expect(await data('pip_install', { packages: ['alpha'] })).toMatchObject({ results: [{ success: true }] })
  })
})
