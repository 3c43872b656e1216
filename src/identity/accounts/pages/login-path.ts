/** The path of the sign-in page. */
import type { RequestContext } from '../../../kernel/context.ts'
import { isServiceHost } from '../../../kernel/http/hosts.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'

/** Returns the path of the sign-in page. Undefined on a host of the service, because only sites have one. */
export function loginPathOf({ config, tenant }: RequestContext, url: string): string | undefined {
  if (tenant.slug === null && isServiceHost(config, tenant.host)) return undefined
  return `${mountOf(url)}/accounts/login/`
}
