/** A copy of an answer whose headers can be changed, unlike those of an answer that came from elsewhere, such as a redirect. */
export function withOwnHeaders(response: Response): Response {
  try {
    response.headers.delete('X-Request-Id')
    return response
  } catch {
    return new Response(response.body, response)
  }
}
