/** Tools that tenants publish for each other. */

/**
 * Length of one published version as JSON, in UTF-16 units: a large definition, with its Python, and a readme. A row holds 2 MB.
 */
export const MAX_PUBLISHED_CHARS = 256 * 1024
/** Length of a published tool's readme: some pages. */
export const MAX_README_CHARS = 32 * 1024
/** Examples of a published tool: a reader looks at three. */
export const MAX_EXAMPLES = 10
/** Versions that a package has ever had, and packages of one publisher. */
export const MAX_PACKAGE_VERSIONS = 500
export const MAX_PACKAGES_PER_TENANT = 100
/** Length of all that one tenant publishes, in UTF-16 units: all tenants share one database of 10 GB. */
export const MAX_MARKET_CHARS_PER_TENANT = 8 * 1024 * 1024

/** Length of the reason for a report or a block, in UTF-16 units. */
export const MAX_REPORT_CHARS = 2_000

/** Requests of one tenant to the marketplace: all tenants share its database, and a person looks at a package a second at most. */
export const MAX_MARKET_REQUESTS_PER_MINUTE = 300
/** Terms of a marketplace search: further ones are ignored. */
export const MAX_MARKET_QUERY_TERMS = 32
/** Packages in one answer, and the largest offset into an order. */
export const MAX_LISTED_PACKAGES = 100
export const MAX_MARKET_OFFSET = 10_000
