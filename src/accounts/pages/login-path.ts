/** Where the page that signs in is. */
import type { RequestContext } from '../../context.ts'
import { isServiceHost } from '../../http/hosts.ts'
import { mountOf } from '../../http/tenant-locator.ts'

/** Returns the path of the page that signs in. Undefined at a host of the service: only sites have one. */
export function loginPathOf({ config, tenant }: RequestContext, url: string): string | undefined {
  if (tenant.slug === null && isServiceHost(config, tenant.host)) return undefined
  return `${mountOf(url)}/accounts/login/`
}
