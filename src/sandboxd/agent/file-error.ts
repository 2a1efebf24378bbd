import { errnoOf, messageOf } from '../json.ts'
import { RpcError } from './connect-json.ts'

/** The system's error in the words and codes that E2B's agent uses. */
export function fileError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  const message = messageOf(error)
  switch (errnoOf(error)) {
    case 'ENOENT':
      return new RpcError('not_found', `path not found: ${message}`)
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new RpcError('already_exists', message)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new RpcError('permission_denied', message)
    case 'ELOOP':
      return new RpcError('failed_precondition', `too many levels of symbolic links: ${message}`)
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new RpcError('invalid_argument', message)
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new RpcError('resource_exhausted', message)
    default:
      return new RpcError('internal', message)
  }
}
