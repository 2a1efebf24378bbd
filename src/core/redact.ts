/** Credentials in URLs, and tokens whose form gives them away: what must not be kept even when a caller put it there. */
const SECRETS = [
  /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@'"\\]{1,500}(?=@)/gi,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255})/g,
  /\bsk-[A-Za-z0-9_-]{20,255}/g,
  /\bty_[A-Za-z0-9]{12}_[A-Za-z0-9]{20,80}/g,
]

/** `text` with what looks like a credential replaced by `***`. A second net: what is known to be secret is masked by name. */
export const redact = (text: string): string => SECRETS.reduce((out, pattern) => out.replace(pattern, '***'), text)
