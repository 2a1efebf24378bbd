/** Version of the server, as `package.json` has it. */
export const SERVER_VERSION = '0.1.0'
