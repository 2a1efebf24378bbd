/**
 * Secrets of a session's tenant, by name: keys of services, kept so that calls need not bring them. A tool sends a secret to its
 * service, and nowhere else.
 * @returns null when the tenant keeps none of that name
 * @throws FailureError `upstream` when it is kept but cannot be opened
 */
export type Secrets = (name: string) => Promise<string | null>
