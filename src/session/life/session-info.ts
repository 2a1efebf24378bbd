import type { SessionInfo } from '../api.ts'
import type { SessionRecord } from '../record.ts'

/** Facts of a session that never change, and its title. */
export const infoOf = ({ name, nodeId, title, requirements, createdAt }: SessionRecord): SessionInfo => ({
  name,
  nodeId,
  title,
  requirements,
  createdAt,
})
