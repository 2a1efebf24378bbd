import { chmodSync, mkdirSync } from 'node:fs'

/** Makes the state directory. Where sandboxes have users of their own, these must pass through it, but not list it. */
export function openStateDirectory(stateDir: string): void {
  mkdirSync(stateDir, { recursive: true, mode: 0o711 })
  if (process.getuid?.() === 0) chmodSync(stateDir, 0o711)
}
