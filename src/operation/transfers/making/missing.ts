/** What a new site does not have yet, of what its source has or its functions need. */
import type { RequestContext } from '../../../kernel/context.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import type { Members } from '../source/source.ts'
import * as store from '../source/store.ts'

/** Returns the members of `all` whose names do not occur in `present`. */
export function lacking(all: readonly Members[], present: readonly Members[]): readonly Members[] {
  const names = new Set(present.map(({ name }) => name))
  return all.filter(({ name }) => !names.has(name))
}

/** Returns the keys that are neither a secret of the app nor one of the site. */
export async function missingSecrets(
  target: RequestContext,
  app: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  if (wanted.length === 0) return []
  const { keys } = await inTenant(target, 'read', { keys: store.selectSecretKeys })
  const present = new Set(keys.all.flatMap((one) => (one.app === null || one.app === app ? one.key : [])))
  return wanted.filter((key) => !present.has(key))
}
