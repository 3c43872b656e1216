/** The hash of the token in a mailed link. Only the hash is stored. */
import { sha256 } from '../../../kernel/lib/sha256.ts'

export const tokenHash = (token: string): string => sha256(`account link ${token}`)
