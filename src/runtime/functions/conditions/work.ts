/** Bounds the work of one evaluation of filter conditions, which clients write. */

/** A step takes about 30 ns, so that an evaluation ends within one and a half seconds. */
const stepsMax = 50_000_000
/** The most characters of a text that a function can create. */
export const textLengthMax = 1024 * 1024

/** The steps left for the current evaluation. Evaluations are synchronous, so there is one at a time. */
let stepsLeft = 0

export function startEvaluation(): void {
  stepsLeft = stepsMax
}

/** Counts steps. Throws an Error if the evaluation takes too many. */
export function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new Error('this takes too much work for the event')
}

/** At worst the engine compares each character of one text with each of the other, at 0.1 ns each. */
const comparisonsInStep = 256

/** Counts the steps of a search for one text in another. Throws as `spend` does. */
export const spendOnSearch = (text: string, searched: string): void =>
  spend((text.length * (searched.length + 1)) / comparisonsInStep)
