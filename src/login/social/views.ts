import { asUser } from '../../users/service.ts'
import type { SignedInUser } from './service.ts'
import type { SignInRow } from './store.ts'

export const asSignedIn = (row: SignInRow): SignedInUser => ({
  user: asUser(row),
  identity: { userId: row.id, generation: row.generation, organizationId: row.organization_id },
})
