import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { asStringMap, fromStringMap, parseObject } from '../json.ts'
import { RpcError } from './connect-json.ts'
import type { Boot } from './environment.ts'

/**
 * The key-value pairs that E2B keeps in a file's `user.e2b.*` extended attributes. Node has no call for those, so a
 * short Python program does it; reads cost nothing until something was written.
 */
export interface Metadata {
  read(path: string): Promise<Record<string, string>>
  /** Replaces all pairs of a file. @throws RpcError `failed_precondition` where they cannot be kept */
  write(path: string, pairs: ReadonlyMap<string, string>): Promise<void>
}

/** Opens the metadata. @param marker a file that exists once anything was written, so that a restart remembers it */
export function openMetadata(boot: Boot, marker: string): Metadata {
  let used = existsSync(marker)
  return {
    async read(path) {
      if (!used) return {}
      return fromStringMap(asStringMap(parseObject(await runXattr(boot, { path }))))
    },
    async write(path, pairs) {
      if (pairs.size === 0 && !used) return
      if (!used) writeFileSync(marker, '')
      used = true
      await runXattr(boot, { path, set: fromStringMap(pairs) })
    },
  }
}

async function runXattr(boot: Boot, request: object): Promise<string> {
  const child = spawn('python3', ['-I', '-S', `${boot.runtime}/xattr.py`], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (code) => resolve(code))
  })
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(request))
  const output = await text(child.stdout)
  if ((await exited) !== 0) throw new RpcError('failed_precondition', 'file metadata cannot be kept on this host')
  return output
}
