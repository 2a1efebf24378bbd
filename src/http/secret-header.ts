/** Header in which a client of Toolcore sends its secret. It is a key here. */
export const SECRET_HEADER = 'X-Internal-Secret'
