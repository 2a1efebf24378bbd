/**
 * Stub in the Worker for `dockerfile-ast` (wrangler.toml, `alias`), which E2B's SDK imports for its builder of templates:
 * 220 KB. Templates are built by `npm run template`, in Node, with the package itself.
 */
export const DockerfileParser = {
  parse(): never {
    throw new Error('the Worker builds no templates: run npm run template')
  },
}
