import { SERVED_DOCUMENTS, type ServedDocument } from './documents.ts'

/**
 * Content security policy of the page: scripts and styles of its own files, questions to its own server, and nothing else. Pictures in the style
 * sheet are `data:`.
 */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Page that shows an OpenAPI document, with links to the others. Its script is `src/assets/reference.js`. */
export const referencePage = (shown: ServedDocument): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown.title} – Toolyard</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/swagger-ui.js" defer></script>
<script src="/docs/reference.js" defer></script>
</head>
<body>
<header>
<strong>Toolyard</strong>
<nav aria-label="APIs">
${SERVED_DOCUMENTS.map((document) => linkTo(document, shown)).join('\n')}
</nav>
<a href="${shown.path}">OpenAPI</a>
</header>
<main id="reference" data-document="${shown.path}"><p>The reference of this API is shown by a script; its OpenAPI document is <a href="${shown.path}">${shown.path}</a>.</p></main>
</body>
</html>
`

const linkTo = (document: ServedDocument, shown: ServedDocument) =>
  `<a href="/docs/${document.name}"${document === shown ? ' aria-current="page"' : ''}>${document.title}</a>`
