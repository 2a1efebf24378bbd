/** Invitations by which tenants are made without the owner of the server. */

/** Tenants that one invitation makes: more are more than a leaked one should. */
export const MAX_INVITATION_USES = 1_000
/** Time for which an invitation is good unless the request says, in seconds: a week, in which mail is read. */
export const DEFAULT_INVITATION_SECONDS = 7 * 24 * 60 * 60
/** Longest such time, in seconds: 90 days. */
export const MAX_INVITATION_SECONDS = 90 * 24 * 60 * 60
/** Shortest such time, in seconds: a link must reach somebody. */
export const MIN_INVITATION_SECONDS = 60
/** Invitations that are neither revoked nor expired: those of a campaign, one for each of its customers. */
export const MAX_LIVE_INVITATIONS = 10_000
/** Invitations in one answer: each has the ids of up to MAX_INVITATION_USES tenants, some 70 KB. */
export const MAX_LISTED_INVITATIONS = 20
