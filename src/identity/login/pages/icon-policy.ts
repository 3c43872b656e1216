/** The sources from which pages may load the icons of providers. */
import type { LoginOptions } from '../social-apps/service.ts'

/** Returns the directives for the policy of the page. Only images of providers may come from other hosts. */
export function iconPolicy(apps: LoginOptions['apps']): Record<string, string> {
  const origins = apps.flatMap(({ icon }) => (icon.startsWith('https:') ? new URL(icon).origin : []))
  return { 'img-src': ["'self'", ...new Set(origins)].join(' ') }
}
