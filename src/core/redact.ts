/** Credentials in URLs, and tokens recognisable by their form: never kept, even when a caller put them there. */
const SECRETS = [
  // Credentials of mistyped URLs as well: a scheme without its colon, or none at all before a long secret.
  /(?<=\/\/)[^\s/@'"\\]{1,500}(?=@)/g,
  /(?<=\b[\w.-]{1,100}:)[^\s/@:'"\\]{16,500}(?=@[\w-]+[.:/])/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255})/g,
  /\bsk-[A-Za-z0-9_-]{20,255}/g,
  /\bty_[A-Za-z0-9]{12}_[A-Za-z0-9]{20,80}/g,
  // Tokens of sessions of the console.
  /\btys_[A-Za-z0-9]{12}_[A-Za-z0-9]{20,80}/g,
  /\binv_[A-Za-z0-9]{20,80}/g,
  // Child keys, and what opens a link to a file; also where a cut went through one.
  /\btyc_(?:local|[A-Za-z0-9]{12})_[\w.-]{20,2048}/g,
  // Access tokens and other JWTs, whose header alone says nothing; also where a cut went through one.
  /(?<![\w.-])eyJ[\w-]{10,900}\.[\w.-]{10,8192}/g,
  /(?<=\/v1\/links\/)[\w-]{20,8000}(?:\.[\w-]{0,43})?/g,
]

/** Length beyond that of any credential: a text cut off this far behind a place hides no credential that begins before it. */
export const REDACT_AHEAD_CHARS = 1_000

/** Text with everything that looks like a credential replaced by `***`. A second net: known secrets are masked by name. */
export const redact = (text: string): string =>
  MAY_HOLD.some((sign) => text.includes(sign))
    ? SECRETS.reduce((out, pattern) => out.replace(pattern, '***'), text)
    : text

/** Substrings of which each match of {@link SECRETS} has one: looking for them takes a tenth of the time. */
const MAY_HOLD = [
  '@',
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'glpat-',
  'sk-',
  'ty_',
  'tys_',
  'inv_',
  'tyc_',
  'eyJ',
  '/v1/links/',
]
