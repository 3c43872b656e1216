/** A sign-in as its caller sees it. */
import type { Identity } from '../../access/tokens.ts'
import type { User } from '../../users/schema.ts'
import { asUser } from '../../users/service.ts'
import type { SignInRow } from './store.ts'

/** An account that has signed in, and the claims of its tokens. */
export interface SignedInUser {
  user: User
  identity: Identity
}

/** Reads a row whose outcome is 'signed in'. */
export const asSignedIn = (row: SignInRow): SignedInUser => ({
  user: asUser(row),
  identity: { userId: row.id, generation: row.generation, organizationId: row.organization_id },
})
