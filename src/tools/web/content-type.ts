/** Media type of an answer without its parameters, in lower case; empty when the server names none. */
export const mediaType = (headers: Headers): string =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
