/**
 * The settings of a site that clients can change. A copy, an archive of the service and a folder of the CLI
 * contain them.
 */
import type { SiteChange } from '../../../identity/organizations/sites/schema.ts'
import type { Members } from './source.ts'

/** The members of a change of a site that transfers copy: all but its names, and whether it acts. */
type SiteSetting = Exclude<keyof SiteChange & string, 'name' | 'slug' | 'paused'>

/** A member without its row does not compile. */
const settings: Readonly<Record<SiteSetting, true>> = {
  environment: true,
  sign_up: true,
  allowed_domains: true,
  require_verified_email: true,
  sign_up_by_provider: true,
  domain_groups: true,
  roles: true,
  requires_factor: true,
  branding: true,
}
export const siteSettings = Object.keys(settings) as SiteSetting[]

/**
 * Returns the settings that a new site gets from those of its source. Unless it is to act at once, it stays
 * the preview that it is.
 */
export function settingsFor(source: Members, activates: boolean): Members {
  const { environment, ...others } = Object.fromEntries(siteSettings.map((name) => [name, source[name]]))
  return activates ? { ...others, environment, paused: false } : others
}

/**
 * Returns a logo in the form that a change of a site accepts, so that the copy does not depend on its
 * address.
 */
export const logoText = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
