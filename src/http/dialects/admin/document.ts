import type { DocumentInfo } from '../../operations/document.ts'

/** Words of the document about /admin. */
export const ADMIN_INFO: DocumentInfo = {
  title: 'Toolyard admin API',
  version: '1',
  description:
    "Tenants and their API keys, for the owner of the server, who shows ADMIN_TOKEN; a tenant's own keys, for a key of it with the scope admin. Lists are `{data, next_cursor}`, errors are problems (RFC 9457), times RFC 3339 in UTC. A server without ADMIN_TOKEN answers everything with 404.",
  tags: {
    tenants: 'Tenants of the server.',
    invitations: 'Links by which others make their own tenants.',
    keys: 'API keys of a tenant.',
    papers: 'Where papers are kept.',
    usage: 'Use of all tenants, for invoices.',
    invoices: 'Plans that are sold, and what tenants owe for a month.',
    documents: 'This document.',
  },
}
