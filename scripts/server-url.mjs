/** URL of the server that a script talks to: TOOLYARD_BASE_URL, else the local one at PORT, as `npm start` reads it. */
export const serverUrl = () => process.env.TOOLYARD_BASE_URL || `http://localhost:${process.env.PORT || 8001}`
