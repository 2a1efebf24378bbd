import { describe, expect, it } from 'vitest'
import { packageName, readDistributions } from '../../../src/session/sandbox/environment.ts'
import { PackageStore } from '../../../src/session/sandbox/package-store.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const store = () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  return new PackageStore(sql)
}
const pins = (...names: string[]) => names.map((pin) => ({ pin, direct: false }))

describe('the name that a specifier is about', () => {
  it.each([
    ['requests', 'requests'],
    ['Scikit_Learn >= 1', 'scikit-learn'],
    ['zope.interface==6', 'zope-interface'],
    ['requests[socks]~=2', 'requests'],
    ['numpy; python_version > "3"', 'numpy'],
    ['tool @ https://host/tool.whl', 'tool'],
    ['./upload/tool-1.0-py3-none-any.whl', null],
    ['tool-1.0-py3-none-any.whl', null],
    ['https://host/tool.whl', null],
    ['git+https://host/tool', null],
  ])('%s: %s', (spec, name) => expect(packageName(spec)).toBe(name))
})

describe('what an environment has', () => {
  it('is read from the names of its directories, with what came from elsewhere than an index', () => {
    const place = '/home/user/workspace/code_env/lib/python3.12/site-packages'
    const printed = [
      `${place}/tool-1.0.dist-info`,
      `${place}/numpy-2.1.0.dist-info`,
      `${place}/tool-1.0.dist-info/direct_url.json`,
    ]
    expect(readDistributions(printed.join('\n'))).toEqual([
      { pin: 'numpy==2.1.0', direct: false },
      { pin: 'tool==1.0', direct: true },
    ])
  })

  it('is nothing when the shell found nothing', () => {
    const place = '/home/user/workspace/code_env/lib/python3*/site-packages/*.dist-info'
    expect(readDistributions(`${place}\n${place}/direct_url.json`)).toEqual([])
  })
})

describe('the packages of a session', () => {
  it('are asked for once under each name, the last way counts', () => {
    const packages = store()
    packages.add(['numpy==1', 'requests'])
    packages.add(['NumPy>=2', './a.whl', './b.whl'])
    expect(packages.specs()).toEqual(['requests', 'NumPy>=2', './a.whl', './b.whl'])
  })

  it('stay wanted at their versions when a new sandbox could not get them', () => {
    const packages = store()
    packages.recordInstalled(pins('numpy==2.1', 'requests==2.0'))
    expect(packages.restored(pins('requests==2.0'))).toEqual(['numpy==2.1'])
    packages.recordInstalled(pins('requests==2.0', 'rich==1'))
    expect(packages.distributions().map(({ pin }) => pin)).toEqual(['numpy==2.1', 'requests==2.0', 'rich==1'])
    packages.recordInstalled(pins('numpy==2.2', 'requests==2.0'))
    expect(packages.distributions().map(({ pin }) => pin)).toEqual(['numpy==2.2', 'requests==2.0'])
  })

  it('are no longer wanted when a command removed them', () => {
    const packages = store()
    packages.recordInstalled(pins('numpy==2.1', 'requests==2.0'))
    packages.recordInstalled(pins('requests==2.0'))
    expect(packages.distributions().map(({ pin }) => pin)).toEqual(['requests==2.0'])
  })
})
