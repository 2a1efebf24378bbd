/**
 * A file of `src/assets`, which is uploaded beside the Worker and not in it.
 * @param assets the binding; any origin will do
 * @throws Error when it is not there
 */
export async function assetBytes(assets: Fetcher, name: string): Promise<ArrayBuffer> {
  const response = await assets.fetch(`https://assets/${name}`)
  if (response.ok) return response.arrayBuffer()
  await response.body?.cancel()
  throw new Error(`the asset ${name} is not there: ${response.status}`)
}

/**
 * The answer to a request for a file of `src/assets`, or for a directory with an `index.html` when the path ends with `/`.
 * @param headers conditions of the request
 */
export const assetResponse = (assets: Fetcher, path: string, headers: Headers): Promise<Response> =>
  assets.fetch(`https://assets${path}`, { headers, redirect: 'manual' })
