/** The most characters of a function's code. The command line checks it before it sends a request. */
export const codeLengthMax = 262_144
