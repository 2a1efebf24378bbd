import { type Schemas, Toolyard } from '../../client/index.ts'
import { command } from '../command.ts'
import { profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts'
import { isReadOnItsWay, LOCAL_SERVER_URL, serverUrl, USUAL_PROFILE } from '../config/server.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { hiddenLine, visibleLine } from '../prompt.ts'
import { readInput } from '../read-input.ts'

/** Most bytes of stdin that are read for a key. */
const MAX_KEY_BYTES = 16 * 1_024

export const login = command({
  summary: 'Sign in to a server, and remember it',
  details: `The key is read from TOOLYARD_API_KEY, else from standard input, else it is asked for without showing it: never give it as an
argument, which every user of the machine can see. It is tried before it is stored, in $XDG_CONFIG_HOME/toolyard/config.json
(~/.config without it), which you alone can read. Nothing is to be signed in to for a server on this machine that needs no key:
http://localhost:8001 is spoken to without.

Several servers have a name each by --profile. The one that was signed in to last is in use; --profile or TOOLYARD_PROFILE
take another one. Without a question, with an empty key, the server is asked without one.`,
  arguments: [
    {
      name: 'URL',
      help: 'address of the server; TOOLYARD_BASE_URL if left out, else it is asked for',
      isOptional: true,
    },
  ],
  options: {},
  examples: [
    { args: 'login https://toolyard.example.com', does: 'asks for the key' },
    {
      args: 'login https://toolyard.example.com --profile work < key.txt',
      does: 'a second server, its key from a file',
    },
  ],
  async run({ positionals: [argument], output, env, stdin, signal, profile }) {
    const isAsking = stdin.isTTY === true
    const given = argument ?? (env.TOOLYARD_BASE_URL || undefined)
    const answered =
      given ?? (isAsking ? await visibleLine(stdin, output, `Server [${LOCAL_SERVER_URL}]: `, signal) : '')
    const url = serverUrl(answered.trim() || LOCAL_SERVER_URL, given === argument ? 'the address' : 'TOOLYARD_BASE_URL')
    const key = (await enteredKey()).trim()
    if (!/^[\x21-\x7e]*$/.test(key))
      throw usageError('the key has characters that no key has', 'give the key alone, on one line')
    if (key && isReadOnItsWay(url))
      await output.note('warning: with http:// the key can be read on its way; use https:// if the server has it')

    const current = await new Toolyard({ baseUrl: url, apiKey: key }).request('GET /v1/keys/current', {}, { signal })
    const name = profile ?? (env.TOOLYARD_PROFILE || USUAL_PROFILE)
    const { profiles } = await readProfiles(env)
    await writeProfiles(env, { current: name, profiles: { ...profiles, [name]: { url, ...(key && { key }) } } })
    const as = [`tenant ${current.tenant}`, current.name && `key ${current.name}`, `may ${current.scopes.join(', ')}`]
    const text = `signed in to ${url}: ${as.filter(Boolean).join(', ')}\nstored as ${name} in ${profilesPath(env)}`
    await output.result({ url, profile: name, ...identityOf(current) }, text)
    return EXIT.good

    async function enteredKey(): Promise<string> {
      if (env.TOOLYARD_API_KEY) return env.TOOLYARD_API_KEY
      if (isAsking) return hiddenLine(stdin, output, 'Key (empty for none): ', signal)
      return (await readInput(stdin, MAX_KEY_BYTES, 'the key', signal)).toString('utf8')
    }
  },
})

const identityOf = ({ tenant, id, name, scopes, expires_at }: Schemas['CurrentKey']) => ({
  tenant,
  key_id: id,
  key_name: name,
  scopes,
  expires_at,
})

export const logout = command({
  summary: 'Forget a server and its key',
  details: 'The key stays good: `toolyard keys revoke` ends it.',
  arguments: [
    { name: 'NAME', help: 'profile to forget; the one in use if left out', isOptional: true, completes: 'profiles' },
  ],
  options: {},
  examples: [{ args: 'logout work', does: 'the server that was signed in to as work' }],
  async run({ positionals: [argument], output, env, profile }) {
    const { current, profiles } = await readProfiles(env)
    const name = argument ?? profile ?? (env.TOOLYARD_PROFILE || current || USUAL_PROFILE)
    if (!Object.hasOwn(profiles, name)) throw usageError(`there is no profile "${name}"`, 'nothing is to be forgotten')
    const { [name]: _, ...others } = profiles
    const next = name === current ? (Object.keys(others)[0] ?? null) : current
    await writeProfiles(env, { current: next, profiles: others })
    await output.result(
      { forgotten: name, current: next },
      `forgot ${name}${next === null ? '' : `; ${next} is in use`}`,
    )
    return EXIT.good
  },
})
