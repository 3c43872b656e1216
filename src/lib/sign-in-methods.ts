/** How a person has signed in: the values of the claim `amr`, as in RFC 8176. */

/**
 * `pwd`: a password. `otp`: a one-time password, of an app or a recovery code. `pop`: a key of their own,
 * which is a passkey. `fed`: the word of a provider, which the RFC lacks. `mfa`: two factors.
 */
export const methods = ['pwd', 'otp', 'pop', 'fed', 'mfa'] as const
export type Method = (typeof methods)[number]
