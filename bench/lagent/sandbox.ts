import type { PythonCall, PythonModule, PythonReply } from '../../src/ports/python.ts'

export type PythonCaller = (call: PythonCall) => Promise<PythonReply>

export const moduleOf = (source: string): PythonModule => ({
  files: { 'tool.py': source },
  main: 'tool',
  requirements: [],
})
