import type { Principal } from '../../../../auth/principal.ts'
import type { Endpoint } from '../context.ts'

/** Facts that the front hands to a connection with each request, after the key was judged. */
export interface Handover {
  readonly principal: Principal
  readonly endpoint: Endpoint
  readonly origin: string
  /** Whether the connection only says that it is there: the request is answered elsewhere. */
  readonly isLook?: boolean
}

/** Header of a handover, between the Worker and its objects: a request from outside has it replaced. */
export const HANDOVER = 'X-Toolyard-Connection'

/** Handover as a header's value, which is ASCII. */
export const encodeHandover = (handover: Handover) => encodeURIComponent(JSON.stringify(handover))

export const decodeHandover = (value: string) => JSON.parse(decodeURIComponent(value)) as Handover
