/** The error of a regular expression that cannot be used. */

/** Thrown while an expression is read. The message is for the client. */
export class PatternProblem extends Error {}
