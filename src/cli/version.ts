import packageJson from '../../package.json' with { type: 'json' }

/** Version of the package. */
export const VERSION: string = packageJson.version
