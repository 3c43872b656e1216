/** Decides whether a caller may see a secret. Spec: Secrets, rules 1 and 2; K9, T5. */
import type { SensitivityLevel } from '../schema.ts'

/** The rights of the caller: not signed in; signed in without access to the site; with access. */
export type Access = 'anonymous' | 'noAccess' | 'reader'

/** `show`, or the reason why the secret is not shown. */
export type Decision = 'show' | 'unauthenticated' | 'forbidden' | 'unknownApp' | 'unknown' | 'untagged'

/** The members of a secret on which the decision depends. */
export interface Guarded {
  sensitivity_level: SensitivityLevel
  /** The names of its tags. */
  tags: readonly string[]
}

/**
 * Decides about the first match of a key: the secret of the app, or else that of the site. It never shows
 * another match instead. If a key is not public, only callers who may read secrets learn whether it exists.
 * `tags`: the secret must have one of them; null: no tag is required. `hasApp`: whether the site has the app
 * that the request names; no secret matches without it.
 */
export function decide(
  secret: Guarded | undefined,
  access: Access,
  tags: readonly string[] | null,
  hasApp = true,
): Decision {
  if (secret?.sensitivity_level !== 'public') {
    if (access === 'anonymous') return 'unauthenticated'
    if (access === 'noAccess') return 'forbidden'
  }
  if (!hasApp) return 'unknownApp'
  if (!secret) return 'unknown'
  return tags && !tags.some((tag) => secret.tags.includes(tag)) ? 'untagged' : 'show'
}
