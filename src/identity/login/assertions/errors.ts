/** Errors of SAML responses. */
import { AppError } from '../../../kernel/errors.ts'
import type { SamlProblem } from '../saml/problems.ts'

/** The 400 for a rejected response. The text gives the reason, for the user and the owner of the app. */
export const responseRefused = (problem: SamlProblem) =>
  new AppError(
    400,
    'saml_response_refused',
    { detail: `The response of the provider was refused. ${problem.message}` },
    { cause: problem, reason: problem.code },
  )
