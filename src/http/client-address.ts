/** Length of the longest address with a port, in characters. */
const MAX_CHARS = 64

/** IP address of the client of a request; null where it is not known. */
export type ClientAddress = (request: Request) => string | null

/**
 * Reads the client's address where the server's own front puts it: in a header that the front sets whatever the client sent, or, without
 * a front, at the socket. Any other header is the client's own words.
 * @param header name of that header, the last of whose addresses counts; null for the socket's address
 */
export const clientAddressBy =
  (header: string | null): ClientAddress =>
  (request) => {
    const given = header === null ? socketAddress(request) : request.headers.get(header)
    // A front that appends to what came puts its own last.
    const last = given?.slice(given.lastIndexOf(',') + 1).trim() ?? ''
    return last === '' || last.length > MAX_CHARS ? null : withoutPort(last)
  }

/** Address at the other end of the socket, as workerd has it: `127.0.0.1:42580`, `[::1]:42580`. */
function socketAddress({ cf }: Request): string | null {
  const address: unknown = (cf as { readonly clientIp?: unknown } | undefined)?.clientIp
  return typeof address === 'string' ? address : null
}

function withoutPort(address: string): string {
  if (address.startsWith('[')) return address.slice(1).split(']', 1)[0] ?? ''
  const colon = address.indexOf(':')
  return colon !== -1 && colon === address.lastIndexOf(':') ? address.slice(0, colon) : address
}
