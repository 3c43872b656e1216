/**
 * Rejects new passwords that are easy to guess: the most common ones, and those made of the account's own
 * words. ASVS 6.2.
 */

import type { RequestContext } from '../context.ts'
import { invalidFields } from '../errors.ts'
// The 10,000 most common passwords of the list of zxcvbn (MIT), in lower case and sorted: docs/security.md.
import commonest from './common-passwords.txt'
import { demoPassword } from './demo-password.ts'
import { hashInTurn } from './hashing.ts'

/** Created at the first use, because 10,000 texts take a few milliseconds. */
let common: ReadonlySet<string> | undefined

/** Shorter words do not identify an account. */
const wordLengthMin = 4
/** The minimum number of characters that must remain after removing the words of the account. */
const restMin = 4

const isCommon = (text: string): boolean => {
  common ??= new Set(commonest.split('\n').filter(Boolean))
  return common.has(text)
}

/**
 * Returns the words in the texts of an account, such as an e-mail's local part, in lower case; the longest
 * first.
 */
function wordsIn(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => {
    const local = text.normalize('NFKC').toLowerCase().replace(/@.*$/su, '')
    return [local, ...local.split(/[^\p{L}\p{N}]+/u)]
  })
  return [...new Set(parts)]
    .filter((word) => word.length >= wordLengthMin)
    .sort((a, b) => b.length - a.length)
}

/**
 * Returns why a password is easy to guess; undefined if it is not. `own` are texts of the account: the user
 * name, the e-mail address, the names and the site.
 */
export function weaknessOf(password: string, own: readonly string[]): string | undefined {
  const folded = password.normalize('NFKC').toLowerCase()
  if (isCommon(folded)) return 'This is one of the 10,000 most common passwords.'
  const rest = wordsIn(own).reduce((left, word) => left.replaceAll(word, ''), folded)
  return rest !== folded && rest.length < restMin
    ? "A password must not consist of the account's names or e-mail address, or of the site's name."
    : undefined
}

/** The texts of an account: the user name, the e-mail address and the names. */
type OwnTexts = readonly (string | null | undefined)[]

/** Throws 400 for a new password that is easy to guess. In production, this includes the demo's password. */
export function requireUnguessable(ctx: RequestContext, password: string, own: OwnTexts): void {
  const texts = [...own, ctx.tenant.slug].flatMap((text) => text ?? [])
  const isOfDemo = password === demoPassword && ctx.config.ENVIRONMENT === 'production'
  const weakness = isOfDemo
    ? "This is the demo's password, which is publicly known."
    : weaknessOf(password, texts)
  if (weakness !== undefined) throw invalidFields({ password: [weakness] })
}

/**
 * Hashes a new password when it is its turn. Throws 400 for one that is easy to guess, and 503 as
 * `hashInTurn` does.
 */
export function hashNewPassword(ctx: RequestContext, password: string, own: OwnTexts): Promise<string> {
  requireUnguessable(ctx, password, own)
  return hashInTurn(ctx, password)
}
