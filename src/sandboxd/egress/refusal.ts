/** Hosts that a refusal names in its first line, which is all that pip and Python show of it. */
const NAMED_HOSTS = 8

/** Refusal of a request to reach a host, in words for a model. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Refusal of a host that is not listed, by the hosts that are. */
export function notListed(host: string, hosts: readonly string[]): Refusal {
  const more = hosts.length - NAMED_HOSTS
  const named = `${hosts.slice(0, NAMED_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return new Refusal(403, `${host} is not allowed: this session may reach only ${named}`)
}

/** The whole answer for a client whose connection ends with it. */
export function refusalText({ status, message }: Refusal): string {
  return [
    `HTTP/1.1 ${status} ${message}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(message) + 1}`,
    'Connection: close',
    '',
    `${message}\n`,
  ].join('\r\n')
}
