/** Joins a site with an account that already exists, instead of signing up there. X2. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { publishAccountEvent, runPreUserCreate } from '../../../runtime/events/accounts/service.ts'
import { selectExternalUserListeners } from '../../users/service.ts'
import { addressNotTaken, signUpClosed } from '../sign-up/errors.ts'
import { addressNotProved } from './errors.ts'
import * as store from './store.ts'

/**
 * Makes the caller's account belong to the site of the request, where the person could also sign up with its
 * address. Does nothing if it belongs there already. Takes two round trips, because the functions of
 * PRE_USER_CREATE run between them. Throws 400 for an address that the site does not allow or that is not
 * verified, and if a function fails; 403 where sign-ups are closed or need an invitation, for a person whom
 * the site keeps out, and for a sign-in by the provider of another organization; and 404.
 */
export async function joinSite(ctx: RequestContext): Promise<void> {
  const caller = requireCaller(ctx)
  const asService = {
    candidate: store.selectCandidate(ctx.tenant, caller),
    listeners: selectExternalUserListeners(ctx.tenant),
  }
  const { candidate, listeners } = await inTenant(ctx, 'write', {}, { asService })
  const { sign_up, takes_address, is_admitted, lacks_proof, may_join, has_joined, ...person } = candidate.one
  if (!may_join) throw forbidden()
  if (has_joined) return
  if (sign_up === 'closed') throw signUpClosed()
  if (!takes_address) throw addressNotTaken()
  if (!is_admitted) throw signUpClosed()
  if (lacks_proof) throw addressNotProved()
  const user = { id: caller.userId, username: person.username, email: person.email }
  await runPreUserCreate(ctx, listeners.all, { ...person, phase: 'joined' }, user)
  const event = publishAccountEvent(ctx, 'POST_USER_CREATE', sql`joined.account`, 'joined')
  await inTenant(ctx, 'write', {}, { asService: { joined: store.join(ctx.tenant, caller, event) } })
}
