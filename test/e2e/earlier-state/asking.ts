/** Asks a server as tests of its kept state do: by JSON, with a key where one is given. */
export const asker = (url: string) => {
  const ask = async (method: string, path: string, body?: unknown, key?: string): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: `Bearer ${key}` }) }
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return /json/.test(answer.headers.get('Content-Type') ?? '') && !path.startsWith('/v1/audit/export?')
      ? JSON.parse(text)
      : text
  }
  return {
    ask,
    /** Calls a tool in the session `kept` of the open tenant. @returns its data */
    async call(tool_name: string, params: object): Promise<unknown> {
      const { success, data, error } = (await ask('POST', '/api/tool/execute', {
        task_id: 'kept',
        tool_name,
        params,
      })) as {
        readonly success: boolean
        readonly data: unknown
        readonly error: string | null
      }
      if (!success) throw new Error(`${tool_name}: ${error}`)
      return data
    },
  }
}
