/** How much work one evaluation of filter conditions may be. Whoever writes them is a client. */

/** Some 30 nanoseconds each: half a second to a second and a half. */
const stepsMax = 50_000_000
/** No text that a function makes is longer, in characters. */
export const textLengthMax = 1024 * 1024

/** What is left to the evaluation that is under way. Evaluations are synchronous: no other one comes in between. */
let stepsLeft = 0

/** Begins an evaluation. */
export function begin(): void {
  stepsLeft = stepsMax
}

/** Throws an Error where the evaluation takes more steps than it may. */
export function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new Error('they take too much work on this event')
}

/** In the worst case the engine compares every character of one text with every one of the other; it takes 0.1 ns for each. */
const comparisonsInStep = 256

/** Charges for looking for one text in another. */
export const spendOnSearch = (text: string, searched: string): void => spend((text.length * (searched.length + 1)) / comparisonsInStep)
