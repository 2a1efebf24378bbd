import type { Background } from '../../ports/background.ts'

/** Id of the job that a caller names by its id or by its process id: of several with that one, the job that runs. */
export async function jobNamed(background: Pick<Background, 'list'>, given: string): Promise<string> {
  if (!/^\d{1,10}$/.test(given)) return given
  const jobs = (await background.list()).filter(({ pid }) => pid === Number(given))
  return (jobs.find(({ state }) => state === 'running') ?? jobs[0])?.id ?? given
}
