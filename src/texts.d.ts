/** Programs for sandboxes, imported as text: `import PROGRAM from './program.py' with { type: 'text' }`. */
declare module '*.py' {
  const text: string
  export default text
}

declare module '*.sh' {
  const text: string
  export default text
}

declare module '*code_tools.mjs' {
  const text: string
  export default text
}

declare module '*code_imports.mjs' {
  const text: string
  export default text
}
