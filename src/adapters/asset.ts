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
