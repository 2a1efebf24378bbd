import { readFile } from 'node:fs/promises'
import type { ReadAsset } from '../../../src/http/operations/served-copy.ts'

/** Reader of the files in `src/assets`. */
export const readAsset: ReadAsset = async (name) => Uint8Array.from(await readFile(`src/assets/${name}`)).buffer
