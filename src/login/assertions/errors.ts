/** Errors of taking SAML responses. */
import { AppError } from '../../errors.ts'
import type { SamlProblem } from '../saml/problems.ts'

/** A response is refused. The text says why, for the person and whoever set the app up. */
export const responseRefused = (problem: SamlProblem) =>
  new AppError(
    400,
    { detail: `The response of the provider was refused. ${problem.message}` },
    { cause: problem },
  )
