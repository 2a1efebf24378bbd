import { MAX_CHILD_KEY_CHARS, MAX_CHILD_KEY_DEPTH } from '../core/limits/child-keys.ts'
import { CHECKSUM_CHARS, checksum, ID_CHARS } from './key.ts'

/**
 * Child keys: `tyc_<root>_<link>.<link>…_<tag><checksum>`. `root` is the public id of the key at the top, or `local`; each link is
 * the base64url of one minting's restrictions (`child-link`); the tag signs all of it, and is 43 characters of base64url.
 */
const PREFIX = 'tyc_'
const TAG_CHARS = 43
/** Place of the root in the keys of a server that lets requests in without a key. */
export const OPEN_ROOT = 'local'

const isRoot = (text: string) => text === OPEN_ROOT || (text.length === ID_CHARS && /^[0-9A-Za-z]+$/.test(text))

/** A well-formed child key, whose tag is not checked yet. */
export interface ChildKey {
  readonly root: string
  /** Texts of the links, from the eldest. */
  readonly links: readonly string[]
  readonly tag: string
}

export const looksLikeChildKey = (text: string): boolean => text.startsWith(PREFIX)

/** Parses a child key, in time linear in its length. @returns null for text in another form, or with a wrong checksum */
export function parseChildKey(text: string): ChildKey | null {
  if (!looksLikeChildKey(text) || text.length > MAX_CHILD_KEY_CHARS) return null
  const body = text.slice(0, -CHECKSUM_CHARS)
  const tagAt = body.length - TAG_CHARS
  const rootEnd = body.indexOf('_', PREFIX.length)
  if (rootEnd === -1 || rootEnd + 1 >= tagAt || body[tagAt - 1] !== '_') return null
  const root = body.slice(PREFIX.length, rootEnd)
  const links = body.slice(rootEnd + 1, tagAt - 1).split('.')
  const tag = body.slice(tagAt)
  if (!isRoot(root) || links.length > MAX_CHILD_KEY_DEPTH || !/^[\w-]+$/.test(tag)) return null
  if (!links.every((link) => /^[\w-]+$/.test(link))) return null
  return text.slice(-CHECKSUM_CHARS) === checksum(body) ? { root, links, tag } : null
}

/** Text of a child key. */
export function childKeyText({ root, links, tag }: ChildKey): string {
  const body = `${PREFIX}${root}_${links.join('.')}_${tag}`
  return body + checksum(body)
}

/** Text of a tag. Tags are compared as texts: a last character with other unused bits is no second spelling. */
export const tagText = (tag: Uint8Array): string => tag.toBase64({ alphabet: 'base64url', omitPadding: true })
