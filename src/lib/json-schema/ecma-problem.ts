/** Why a text is no regular expression that can be used. */
export class PatternProblem extends Error {}
