/** The methods of a sign-in: the values of the claim `amr`, as in RFC 8176. */

/**
 * `pwd`: a password. `otp`: a one-time password of an app, or a recovery code. `pop`: a key of the user, that
 * is a passkey. `fed`: an identity provider; the RFC has no value for this. `mfa`: two factors.
 */
export const methods = ['pwd', 'otp', 'pop', 'fed', 'mfa'] as const
export type Method = (typeof methods)[number]
