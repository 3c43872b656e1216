/** A sign-in as its caller sees it. */
import { type Admitted, admit } from '../../access/second-factor/service.ts'
import type { Identity } from '../../access/tokens.ts'
import type { RequestContext } from '../../context.ts'
import type { User } from '../../users/schema.ts'
import { asUser } from '../../users/service.ts'
import type { SignInRow } from './store.ts'

/** An account that has signed in, and the claims of its tokens. */
export interface SignedInUser {
  user: User
  identity: Admitted
}

/** Reads a row whose outcome is 'signed in'. Throws FactorRequired if the account has a second factor. */
export async function asSignedIn(ctx: RequestContext, row: SignInRow): Promise<SignedInUser> {
  const { id: userId, generation, organization_id: organizationId, has_factor, read_at: readAt } = row
  const identity: Identity = { userId, generation, organizationId, methods: ['fed'], readAt }
  return { user: asUser(row), identity: await admit(ctx, identity, has_factor) }
}
