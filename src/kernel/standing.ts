/**
 * The standing of a guest, which determines the access rules of a site that apply. A guest is a request
 * without credentials, or a caller without `access_site` there.
 */

/** The standing of a guest in a site. */
export interface Standing {
  /** Whether the caller is signed in. */
  signedIn: boolean
  /**
   * Whether the account belongs to the site, through a permission or a role in it, a provider of it, a
   * sign-up there, or a membership in its organization.
   */
  user: boolean
  /** The names of the account's groups in the organization of the site, sorted. */
  groups: readonly string[]
  /** The permissions that the account holds in the site, sorted. */
  permissions: readonly string[]
  /** The names of the roles that the account has in the site, sorted. */
  roles: readonly string[]
}

/** The standing of a request without credentials. */
export const anyone: Standing = { signedIn: false, user: false, groups: [], permissions: [], roles: [] }

/** A standing as `public.standing_of` returns it. */
interface StandingJson extends Omit<Standing, 'signedIn'> {
  signed_in: boolean
}

/** Returns the JSON of a standing, in the form with which Postgres compares it. */
export function standingText({ signedIn, ...others }: Standing): string {
  const json: StandingJson = { signed_in: signedIn, ...others }
  return JSON.stringify(json)
}

/** Reads a standing from JSON of Postgres. Undefined for `null`: the caller holds `access_site`. */
export function readStanding(text: string): Standing | undefined {
  const json = JSON.parse(text) as StandingJson | null
  if (json === null) return undefined
  const { signed_in: signedIn, user, groups, permissions, roles } = json
  return { signedIn, user, groups, permissions, roles }
}
