/** A sign-in as its caller sees it. */

import { type Admitted, admit } from '../../../kernel/access/second-factor/service.ts'
import type { SignInPlace } from '../../../kernel/access/sign-in-hosts.ts'
import type { Identity } from '../../../kernel/access/tokens.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import type { User } from '../../users/schema.ts'
import { asUser } from '../../users/service.ts'
import type { Ended, SignedInRow } from './store.ts'

/** An account that has signed in, and the claims of its tokens. */
export interface SignedInUser {
  user: User
  identity: Admitted
  /** What the sign-in has ended, because somebody else may have made it. Omitted: nothing. S10. */
  ended?: readonly Ended[]
}

/** Reads the row of a sign-in. Throws FactorRequired if the account has a second factor. */
export async function asSignedIn(
  ctx: RequestContext,
  row: SignedInRow,
  place: SignInPlace,
): Promise<SignedInUser> {
  const { id: userId, generation, organization_id: organizationId, has_factor, read_at: readAt } = row
  const identity: Identity = { userId, generation, organizationId, methods: ['fed'], readAt }
  const ended = row.ended?.length ? { ended: row.ended } : {}
  return { user: asUser(row), identity: await admit(ctx, identity, place, has_factor), ...ended }
}
