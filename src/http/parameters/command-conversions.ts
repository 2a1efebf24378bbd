import { type Conversion, filling } from './conversion.ts'

const isTrue = (value: unknown) => /^(?:true|1|yes)$/i.test(String(value))

/** A new shell in the place of one that hangs: each call is one. */
export const restart: Conversion = (value, args, note) => {
  if (!isTrue(value)) return args
  note('each call is a new shell already: there is nothing to restart; job_stop ends what runs in the background')
  return typeof args.command === 'string' && args.command !== '' ? args : { ...args, command: ':' }
}

/** Language of a program, which is Python always. */
export const language: Conversion = (value, args) => {
  if (typeof value !== 'string') return null
  if (/^(?:python|py|ipython)[\d.]*$/i.test(value.trim())) return args
  return 'only Python runs here; execute_shell runs other programs, e.g. "node -e ..." or a script that file_write wrote'
}

/** Order of files that were found. */
export const sortedBy: Conversion = (value, args) => {
  if (typeof value !== 'string') return null
  if (/^-?(?:m?time|modified|modification_time|date|newest|newest_first|recent|latest)$/i.test(value))
    return filling(args, { newest_first: true })
  return /^(?:name|path|alphabetical)$/i.test(value) ? args : null
}

/** Picture of the task by an address; one on the web has to be brought there first. */
export const picturePlace: Conversion = (value, args) => {
  if (typeof value !== 'string' || value === '' || value.startsWith('data:')) return null
  if (/^https?:/i.test(value))
    return 'download_file_from_url brings a picture from the web; then give its path as file_path'
  return filling(args, { file_path: value })
}
