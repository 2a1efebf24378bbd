import { absolutePath, ROOT } from '../../core/workspace-path.ts'
import { language, picturePlace, restart, sortedBy } from './command-conversions.ts'
import { type Conversion, filling, named, type ValueConversion } from './conversion.ts'
import { edits, insertedBehind } from './edit-conversions.ts'
import { lineConversions } from './line-conversions.ts'
import { patchNames } from './patch-names.ts'
import {
  blocking,
  commands,
  downloadDirectory,
  endPage,
  filesByName,
  gitHubRepository,
  globs,
  nameAnywhere,
  recursiveGlob,
  startPage,
  term,
  variables,
  waiting,
} from './place-conversions.ts'
import { base64Encoding, fileContent, lines, numberAsText, onlyText, word } from './text-conversions.ts'
import {
  append,
  documentFormat,
  editable,
  filters,
  newName,
  onlyFile,
  pagePlace,
  requirementsFile,
  severalPaths,
  texFileAlone,
  texFileAsInput,
  UPLOAD_NAMES,
  uploadEncoding,
  uploadedContent,
  uploadedFile,
  version,
} from './tool-conversions.ts'
import { withScheme } from './web-address.ts'

/** A file named beside a patch: the one that the patch names, or the one that a patch without a file's header is for. */
const fileOfPatch: Conversion = (value, args) => {
  const { patch } = args
  if (typeof value !== 'string' || typeof patch !== 'string') return null
  const names = patchNames(patch)
  const path = plainPath(value)
  if (names.length === 0) {
    return patch.trimStart().startsWith('@@')
      ? { ...args, patch: `--- a/${path}\n+++ b/${path}\n${patch.trimStart()}` }
      : args
  }
  if (names.some((name) => plainPath(name) === path || plainPath(name.replace(/^[ab]\//, '')) === path)) return args
  const named = names[0]?.slice(0, MAX_SHOWN_PATH_CHARS).toWellFormed()
  return `the patch names ${named}, not this file; leave it out, or correct the path in the patch`
}

const plainPath = (path: string) =>
  (path.startsWith(TASK_ROOT) ? path.slice(TASK_ROOT.length) : path).replace(/^(?:\.?\/)+/, '')
const TASK_ROOT = `${absolutePath(ROOT)}/`

/** The pattern itself in the place of `regex: true`. */
const patternAsRegex: Conversion = (value, args) => {
  const isPattern = typeof value === 'string' && value !== '' && !BOOLEAN_WORDS.has(value.trim().toLowerCase())
  return isPattern ? filling(args, { search_text: value, regex: true }) : null
}

/** Words that tools take for true and false. */
const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1', 'false', 'no', 'off', '0'])

const MAX_SHOWN_PATH_CHARS = 200

/** Levels of a listing, which has one or all. */
const depth: Conversion = (value, args) => {
  const levels = Number(value)
  if (!Number.isInteger(levels) || levels === 0) return null
  return levels === 1 ? args : filling(args, { recursive: true })
}

/** Owner of a repository whose name came alone. */
const owner: Conversion = (value, args) => {
  const { full_name } = args
  if (typeof value !== 'string' || typeof full_name !== 'string') return null
  return full_name.includes('/') ? args : { ...args, full_name: `${value}/${full_name}` }
}

/** Conversions by tool and spelling of the parameter. One of an argument's own name converts values that no such argument has. */
export const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  crawl_page: named(pagePlace, 'output outputfile outputpath'),
  download_file_from_url: named(downloadDirectory, 'outputdir outputdirectory dir directory folder savedir targetdir'),
  execute_code: { language, runtime: language },
  execute_shell: { commands, restart },
  file_glob: {
    recursive: recursiveGlob,
    name: nameAnywhere,
    patterns: globs,
    ...named(sortedBy, 'sort sortby orderby order'),
  },
  image_read: named(picturePlace, 'url imageurl'),
  github_search_repositories: { language: term('language') },
  google_search: { site: term('site') },
  job_output: { block: blocking },
  dir_list: named(depth, 'depth maxdepth levels'),
  file_edit: named(edits, 'edits edit'),
  file_move: named(newName, 'newname renameto'),
  file_patch: named(fileOfPatch, 'filepath path file filename'),
  file_read: lineConversions({ counts: true }),
  file_replace_lines: {
    ...lineConversions({ counts: false }),
    ...named(insertedBehind, 'insertline insertafter afterline'),
  },
  file_search: { regex: patternAsRegex },
  file_upload: { content: uploadedContent, encoding: uploadEncoding, ...named(uploadedFile, UPLOAD_NAMES.join(' ')) },
  file_write: { append, files: onlyFile },
  github_get_repository_info: named(owner, 'owner user org'),
  parse_document: {
    ...named(documentFormat, 'format outputformat'),
    ...named(startPage, 'startpage firstpage frompage pagestart'),
    ...named(endPage, 'endpage lastpage topage pageend maxpages numpages'),
  },
  pip_install: {
    ...named(
      requirementsFile,
      'requirementsfile requirementfile requirementspath requirementstxt requirement file filepath',
    ),
    ...named(editable, 'editable'),
    version,
  },
  rag_search_abstracts_filtered: { filters, filter: filters },
}

/** Conversions of an argument's values, by argument, in every tool that has it. */
export const VALUE_CONVERSIONS: Readonly<Record<string, ValueConversion>> = {
  url: withScheme('url'),
  download_url: withScheme('download_url'),
  env: variables,
  job_id: numberAsText('job_id'),
  on_timeout: word('on_timeout', {
    background: 'continue detach keep keep_running go_on job',
    stop: 'kill terminate fail error abort',
  }),
  output_mode: word('output_mode', {
    files_with_matches: 'files files_only paths filenames file_names',
    content: 'lines matches',
    count: 'counts',
  }),
  query: onlyText('query'),
  tex_filename: texFileAlone,
}

/** Address of a repository without its scheme, or its owner and name at GitHub. */
const gitHubOrAddress: ValueConversion = (value, args, note) =>
  withScheme('repo_url')(value, args, note) ?? gitHubRepository(value, args, note)

/** The same for one tool. */
export const VALUE_CONVERSIONS_OF_TOOLS: Readonly<Record<string, Readonly<Record<string, ValueConversion>>>> = {
  file_delete: { file_path: severalPaths },
  execute_code: { code: lines('code') },
  file_edit: { old_text: lines('old_text'), new_text: lines('new_text') },
  file_info: { file_path: severalPaths },
  file_replace_lines: { new_content: lines('new_content'), expected_content: lines('expected_content') },
  file_upload: { files: filesByName },
  file_write: { content: fileContent, encoding: base64Encoding },
  git_clone: { repo_url: gitHubOrAddress },
  workspace_snapshot: {
    action: word('action', { save: 'create make add put take new set', list: 'ls show', remove: 'delete rm drop del' }),
  },
  job_output: { wait_seconds: waiting },
}

/** The same in dialects whose clients are no published ones, which are promised a refusal. */
export const VALUE_CONVERSIONS_OF_OWN_DIALECTS: typeof VALUE_CONVERSIONS_OF_TOOLS = {
  tex2pdf_convert: { input_path: texFileAsInput },
}
