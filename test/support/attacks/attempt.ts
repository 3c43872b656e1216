/** An attempt and what it shows: rows of `[name, statements, verdict]`. */
import { canary, type Ground, type Outcome } from './ground.ts'
import { changesBetween, stateOf } from './state.ts'

/**
 * The verdict: `nothing`, the statements run and reach only what is the attacker's own; or the SQLSTATEs with
 * which they may be refused, separated by bars. On some versions of Postgres, both are right.
 */
export type Attempt = [name: string, texts: (ground: Ground) => string[], verdict: string]

/** Runs an attempt and returns what is wrong: another verdict, a value of the victim, a change. */
export async function faultsOf(
  ground: Ground,
  verdict: string,
  run: () => Promise<Outcome>,
): Promise<string[]> {
  const before = await stateOf(ground)
  const { code, seen } = await run()
  const changes = changesBetween(before, await stateOf(ground))
  const expected = verdict.split('|').map((each) => (each === 'nothing' ? 'done' : each))
  return [
    ...(expected.includes(code) ? [] : [`${code} instead of ${verdict}: ${seen.slice(0, 300)}`]),
    ...(seen.includes(canary) ? [`saw ${canary}`] : []),
    ...changes.map((name) => `changed ${name}`),
  ]
}
