type Headers = Readonly<Record<string, string>>

export type Caller = ReturnType<typeof caller>

/**
 * Asks the server as a client does, and fails where it does not answer with success.
 * @param key of the tenant; without one it is the open one
 */
export function caller(url: URL, key?: string) {
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  async function send(method: string, path: string, body?: unknown, more: Headers = {}): Promise<unknown> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...authorization, ...more, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const read = response.status === 204 ? {} : await response.json()
    const answer = read as { readonly success?: boolean; readonly error?: string }
    if (!response.ok || answer.success === false)
      throw new Error(`${method} ${path}: ${answer.error ?? response.status}`)
    return answer
  }
  /** Any answer of success, whose body the caller reads. */
  async function answer(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(new URL(path, url), { ...init, headers: { ...authorization, ...init.headers } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return response
  }
  /** A node of XAgent's API. */
  async function node() {
    const made = await fetch(new URL('/get_cookie', url), { method: 'POST' })
    await made.json()
    const Cookie = made.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    async function post(path: string, body: object) {
      const response = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { Cookie },
        body: JSON.stringify(body),
      })
      const answer = await response.text()
      if (!response.ok) throw new Error(`${path}: ${answer}`)
    }
    return { post, execute: (tool_name: string, args: object) => post('/execute_tool', { tool_name, arguments: args }) }
  }
  return {
    node,
    answer,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) => send('POST', path, body),
    remove: (path: string) => send('DELETE', path),
    create: (task: string) => send('POST', `/api/task/create?task_id=${task}&task_name=${task}`),
    tool: (task_id: string, tool_name: string, params: object, headers?: Headers) =>
      send('POST', '/api/tool/execute', { task_id, tool_name, params }, headers),
  }
}
