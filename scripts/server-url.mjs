/** URL of the server that a script talks to: TOOLYARD_URL, else the local one at PORT, as `npm start` reads it. */
export const serverUrl = () => process.env.TOOLYARD_URL || `http://localhost:${process.env.PORT || 8001}`
