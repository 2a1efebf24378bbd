import { PROCESSES } from './server.ts'

/** Faults that a drill makes in a server, by name. Cut connections are the clients' own. */
export const FAULTS = [
  ...PROCESSES.map((kind) => `kill ${kind}` as const),
  ...(['worker', 'reader', 'sandbox host', 'agent'] as const).map((kind) => `pause ${kind}` as const),
  'fill disk',
] as const
export type Fault = (typeof FAULTS)[number]

export const isFault = (name: string): name is Fault => FAULTS.some((fault) => fault === name)
