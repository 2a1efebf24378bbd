import { get } from 'node:http'

/** Status of /health at a port of this machine, over a connection of its own. */
export function health(port: number, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false, signal }, (response) => {
      response.resume().once('error', reject)
      response.once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject)
  })
}
