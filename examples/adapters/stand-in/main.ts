import { startModels } from './server.ts'

/** Serves until it is stopped, and prints the settings that lead the examples here, for `export`. */
const { env } = await startModels()
for (const [name, value] of Object.entries(env)) console.log(`export ${name}=${value}`)
