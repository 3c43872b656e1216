/** Why a site has no part in an answer, in place of the errors that a request to the site alone would get. */
import { sqlstates } from '../../kernel/db/failures.ts'
import type { AppError } from '../../kernel/errors.ts'

/** The reasons, and what to tell of each if nothing more is known. */
const reasons = {
  missing: 'The site has no such table.',
  differs: 'Its table has other fields.',
  elsewhere: 'Its records are in MongoDB, which a request of its own can read.',
  suspended: 'The site is suspended.',
  late: 'It took too long. Ask for fewer records, or for this site alone.',
  too_long: 'Its records are too long. Ask for fewer records or fields.',
  limited: 'The site has reached a limit.',
  refused: 'The site does not admit the caller: it requires a second factor.',
  changing: 'Its tables were being changed. Try again.',
  failed: 'Its records could not be read so.',
} as const

export const skipReasons = Object.keys(reasons) as [SkipReason, ...SkipReason[]]
export type SkipReason = keyof typeof reasons

/** Why a site was left out. */
export interface Skipped {
  reason: SkipReason
  detail: string
}

export const skippedFor = (reason: SkipReason, detail: string = reasons[reason]): Skipped => ({
  reason,
  detail,
})

const byState: Readonly<Record<string, SkipReason>> = {
  [sqlstates.queryCanceled]: 'late',
  [sqlstates.lockNotAvailable]: 'late',
  [sqlstates.answerTooLong]: 'too_long',
  [sqlstates.missing]: 'suspended',
  [sqlstates.undefinedTable]: 'changing',
  TS409: 'changing',
  TS433: 'limited',
  TS434: 'refused',
}

/** Returns why the part of a site failed. `error`: what the client has caused. */
export const skippedAfter = (sqlstate: string, error?: AppError): Skipped =>
  skippedFor(byState[sqlstate] ?? 'failed', error && textOf(error))

/** Returns why the query does not fit the tables of a site. */
export function skippedBy(error: AppError): Skipped {
  if (error.code === 'not_supported') return skippedFor('elsewhere')
  return skippedFor(error.status === 400 ? 'differs' : 'missing', textOf(error))
}

/** The texts that the body of an error may have. */
interface Texts {
  detail?: string
  hint?: string
  details?: Readonly<Record<string, readonly string[]>>
}

/** Returns the first text of an error's body, with the name of its parameter. */
function textOf({ body }: AppError): string | undefined {
  const { detail, hint, details } = body as Texts
  const [first] = Object.entries(details ?? {})
  return first ? `${first[0]}: ${first[1][0]}` : (hint ?? detail)
}
