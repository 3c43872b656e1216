/** The most characters of a function's code. The command line tells it before the API refuses. */
export const codeLengthMax = 262_144
