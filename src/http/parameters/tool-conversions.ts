import { withoutLast } from '../../core/without-last.ts'
import { spelled } from '../alike-names.ts'
import { type Conversion, filling, type ValueConversion } from './conversion.ts'
import type { Params } from './params.ts'
import { isBase64 } from './text-conversions.ts'

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** New name of a file in the directory where it is. */
export const newName: Conversion = (value, args) => {
  const { src_path } = args
  if (!isText(value) || typeof src_path !== 'string' || value.includes('/')) return null
  const parent = withoutLast(src_path, '/').split('/').slice(0, -1).join('/')
  return filling(args, { dest_path: parent === '' ? value : `${parent}/${value}` })
}

/** One file to upload, whose content stands beside its name; another path is the place for all files. */
export const uploadedFile: Conversion = (value, args) => {
  const { content, is_base64, ...others } = args
  if (!isText(value)) return null
  if (typeof content !== 'string') return filling(args, { target_path: value })
  return fileToUpload(others, value, content, is_base64)
}

/** Content of the one file whose name stands beside it. */
export const uploadedContent: Conversion = (value, args) => {
  const name = Object.keys(args).find((one) => UPLOAD_NAMES.includes(spelled(one)) && isText(args[one]))
  if (name === undefined || typeof value !== 'string') return null
  const { [name]: path, is_base64, ...others } = args
  return fileToUpload(others, String(path), value, is_base64)
}

export const UPLOAD_NAMES = ['filepath', 'filename', 'file', 'name', 'path']

function fileToUpload(others: Params, path: string, content: string, is_base64: unknown) {
  const filename = path.replace(/^\/+/, '').replace(/^upload\//, '')
  return filling(others, { files: [{ filename, content, ...(is_base64 !== undefined && { is_base64 }) }] })
}

/** Encoding of all files of a call, or of the one that stands beside it. */
export const uploadEncoding: Conversion = (value, args) => {
  if (!isBase64(value)) return /^utf-?8$/i.test(String(value)) ? args : null
  if (typeof args.content === 'string') return filling(args, { is_base64: true })
  const { files } = args
  if (!Array.isArray(files)) return null
  return { ...args, files: files.map((file) => (typeof file === 'object' ? { is_base64: true, ...file } : file)) }
}

/** A list of one file to write. */
export const onlyFile: Conversion = (value, args) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const [file, ...others] = list
  if (others.length > 0 || typeof file !== 'object' || file === null) return null
  const { path, file_path = path, filename, content, text = content } = file as Readonly<Record<string, unknown>>
  const name = file_path ?? filename
  return isText(name) && typeof text === 'string' ? filling(args, { file_path: name, content: text }) : null
}

/** Whether a text is added to a file. */
export const append: Conversion = (value, args) => {
  const word = String(value).toLowerCase()
  return word === 'true' || word === '1' ? filling(args, { mode: 'append' }) : null
}

/** File of requirements, as `pip install -r` names it. */
export const requirementsFile: Conversion = (value, args) => withPackage(args, isText(value) && `-r ${value.trim()}`)

/** Directory to install so that changes of it count, as `pip install -e` names it. */
export const editable: Conversion = (value, args) => withPackage(args, isText(value) && `-e ${value.trim()}`)

/** A requirement beside those that were given. */
function withPackage(args: Params, more: string | false) {
  if (more === false) return null
  const { packages } = args
  const given: readonly unknown[] = Array.isArray(packages) ? packages : isText(packages) ? [packages] : []
  return { ...args, packages: [...given, more] }
}

/** Version of the one package that is named without one. */
export const version: Conversion = (value, args) => {
  const { packages } = args
  const [name, ...others] = Array.isArray(packages) ? packages : [packages]
  const isNumber = typeof value === 'string' && /^\d[\w.!+*-]{0,50}$/.test(value)
  const isPlain = others.length === 0 && typeof name === 'string' && /^[\w.-]+(?:\[[\w,-]*\])?$/.test(name)
  return isNumber && isPlain ? { ...args, packages: [`${name}==${value}`] } : null
}

/** A main file where no directory is named beside it: its directory, and its name. */
export const texFileAlone: ValueConversion = (value, args) =>
  isText(args.input_path) ? null : withTexFile(value, args)

/** A main file in the place of its directory. */
export const texFileAsInput: ValueConversion = (value, args) =>
  isText(args.tex_filename) ? null : withTexFile(value, args)

function withTexFile(value: unknown, args: Params) {
  if (!isText(value) || !/\.tex$/i.test(value)) return null
  const parts = value.split('/')
  const tex_filename = parts.pop()
  return { ...args, input_path: parts.join('/') || '.', tex_filename }
}

/** Filters of a search in one object. */
export const filters: Conversion = (value, args) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const years = Object.entries(value).filter(([name]) =>
    /^(?:publish(?:ed|cation)?_?)?(?:year|date)(?:_filter)?$/i.test(name),
  )
  const [year, ...others] = years
  const isAll = others.length === 0 && Object.keys(value).length === 1
  return year && isAll ? filling(args, { publish_year_filter: String(year[1]) }) : null
}

/** Form of a document's text, which is Markdown always. */
export const documentFormat: Conversion = (value, args) =>
  /^(?:markdown|md|text|txt|plain|plain_?text|auto)$/i.test(String(value)) ? args : null

/** A place for a page, which gets its own name in a directory: of a file's path, that is the directory above it. */
export const pagePlace: Conversion = (value, args, note) => {
  if (!isText(value)) return null
  const isFile = /\.[a-z]{2,4}$/i.test(value)
  const directory = isFile ? value.split('/').slice(0, -1).join('/') : value
  if (isFile) note('the file gets a name of its own: markdown_file is its path')
  return directory === '' ? args : filling(args, { output_dir: directory })
}

/** Several paths in the place of one. */
export const severalPaths: ValueConversion = (value, args) => {
  if (!Array.isArray(value) || value.length < 2 || args.file_paths !== undefined) return null
  const { file_path: _, ...others } = args
  return { ...others, file_paths: value }
}
