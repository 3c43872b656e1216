/** Who is shown a secret. Spec: Secrets, rules 1 and 2; K9, T5. */
import type { SensitivityLevel } from '../schema.ts'

/** Nobody; somebody who may not read what is not public; somebody who may. */
export type Standing = 'anonymous' | 'stranger' | 'reader'

export type Verdict = 'show' | 'unauthenticated' | 'forbidden' | 'unknown' | 'untagged'

export interface Judged {
  sensitivity_level: SensitivityLevel
  tags: readonly string[]
}

/**
 * `found` is the first match of a key, at the level of the app or else of the site: what is judged is that one, and none
 * behind it. Whether a key exists that is not public, only readers learn. `tags`, when given: one of them it has to have.
 */
export function decide(found: Judged | undefined, standing: Standing, tags: readonly string[] | null): Verdict {
  if (found?.sensitivity_level !== 'public') {
    if (standing === 'anonymous') return 'unauthenticated'
    if (standing === 'stranger') return 'forbidden'
  }
  if (!found) return 'unknown'
  return tags && !tags.some((tag) => found.tags.includes(tag)) ? 'untagged' : 'show'
}
