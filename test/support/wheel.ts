import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Environment that makes pip look only in a directory with wheels of these names (version 1.0), each of one empty module. */
export function offlinePip(names: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'wheels-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  execFileSync('python3', ['-c', BUILD, directory, ...names])
  return { directory, env: { PIP_NO_INDEX: '1', PIP_FIND_LINKS: directory, PIP_NO_CACHE_DIR: '1', PIP_RETRIES: '0' } }
}

const BUILD = `
import sys, zipfile
directory, *names = sys.argv[1:]
for name in names:
    info = f'{name}-1.0.dist-info'
    with zipfile.ZipFile(f'{directory}/{name}-1.0-py3-none-any.whl', 'w') as wheel:
        wheel.writestr(f'{name}.py', '')
        wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n')
        wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        wheel.writestr(f'{info}/RECORD', '')
`
