/** Errors of an exchange with a provider. Their causes are only for the log. S5, S7. */
import { AppError } from '../../../kernel/errors.ts'

/** The 400 for a provider whose configuration or discovery document cannot be used. */
export const providerUnusable = (cause?: unknown) =>
  new AppError(
    400,
    'provider_unusable',
    { detail: 'The provider is not configured, or its configuration cannot be read.' },
    { cause },
  )

/** The steps after the code, and what the person reads if one of them fails. */
const failedSteps = {
  callback: "The provider's answer to the authorization request is not valid.",
  token_request: 'The provider rejected the authorization code, or did not answer the token request.',
  token_response: "The provider's answer to the token request is not valid.",
  keys: 'The keys of the provider cannot be read.',
  id_token: 'The ID token of the provider is not valid.',
  user_info: 'The UserInfo of the provider describes another person than the ID token.',
  profile: 'The provider did not return the profile of the person.',
  subject: 'The provider returned an id of the person that cannot be used.',
  saml: 'The code does not belong to the answer of the provider.',
} as const

/** A step of a sign-in after the provider has sent its code. The error says which one failed. */
export type Step = keyof typeof failedSteps

/** The 400 if a step after the code failed. */
export const stepFailed = (step: Step, cause?: unknown) =>
  new AppError(400, 'provider_failed', { detail: failedSteps[step] }, { cause, reason: step })
