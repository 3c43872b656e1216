/**
 * The requests of the command line: the query of the sign-in page, and the body with which it gets its
 * tokens.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'

/** 32 bytes in base64url: the secret of the command line, or its SHA-256. */
const secret = z.string().regex(/^[\w-]{43}$/, 'Must be 32 bytes in base64url.')

/** The query string and the form of the page. */
export const signInRequest = z.object({
  /** The port of 127.0.0.1 on which the command line listens. Ports below 1024 are reserved for services. */
  port: z.coerce.number().int().min(1024).max(65_535),
  challenge: secret,
  /** A value by which the command line recognizes the answer. */
  state: secret,
  /** The name of the machine, as the command line claims it. */
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u),
})
export type SignInRequest = z.infer<typeof signInRequest>

/** The body that exchanges a code for tokens. */
export const codeInput = z.strictObject({
  code: z.string().min(1).max(2048).describe('The code that the page has sent to the command line.'),
  verifier: secret.describe(
    'The verifier in base64url. Its SHA-256 hash is the challenge that was sent to the page.',
  ),
})
export type CodeInput = z.infer<typeof codeInput>

/** Returns the challenge of a verifier (RFC 7636, S256). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
