/** Writes the files of a new tool, provider or dialect, as the pages in `docs` show them: `npm run new`. */
import { runNew } from './new/run.ts'

process.exitCode = runNew(process.argv.slice(2))
