import { refusesTaken } from '../../../../registry/taken-ids.ts'
import type { Services } from '../../../dialect.ts'

type ServersTools = Pick<Services, 'tools' | 'toolkits'>

/** Names of the server's own tools in lower case: no tool of a tenant may have one of them as its id. */
export const takenIds = ({ tools, toolkits }: ServersTools): ReadonlySet<string> =>
  new Set([...tools, ...toolkits.flatMap((kit) => kit.tools)].map(({ name }) => name.toLowerCase()))

/** {@link refusesTaken} for the ids of this server. */
export const refusesId = (services: ServersTools) => refusesTaken(takenIds(services))
