/** Sites, their domains, and the permissions of people there. docs/guide/organizations-and-sites.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type AuditEntry, type AuditOptions, readAudit } from './audit.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'
import { organizationPath } from './organizations.ts'

/** The purpose of a site. */
export type Environment = 'production' | 'staging' | 'development' | 'preview'

/** The settings of a site that can be changed. */
export interface SiteSettings {
  name: string
  /** Links with the old slug no longer lead to the site. */
  slug: string
  environment: Environment
  /** Whether the site does not act by itself. Owners and admins change it. */
  paused: boolean
  /** Who may sign up with a password. */
  sign_up: 'closed' | 'invited' | 'open'
  /** The e-mail domains that new accounts may have. Empty: any. */
  allowed_domains: readonly string[]
  require_verified_email: boolean
  sign_up_by_provider: boolean
  /** What people get who sign up with a verified address of a domain. */
  domain_groups: readonly { domain: string; group?: string; role?: string }[]
  /** The roles that people can have in the site. In changes, omitted members are empty. */
  roles: readonly SiteRole[]
  /** Whether the people of the site need a second factor. */
  requires_factor: boolean
  /**
   * The branding of the site's pages. In changes, `logo` is a `data:` URL, and omitted members stay
   * unchanged.
   */
  branding: { name?: string | null; logo?: string | null; color?: string | null }
}

/** A role that people can have in a site. Access rules say what it may do. */
export interface SiteRole {
  name: string
  title?: string
  description?: string
  /** The groups of the organization whose members have the role. */
  groups?: readonly string[]
}

export interface Site extends SiteSettings {
  id: number
  uuid: string
  /** A suspended or deleted site answers 404. */
  state: 'active' | 'suspended' | 'deleted'
  /** When the deleted site will be erased. */
  deletes_at: string | null
  domains: Pick<Domain, 'domain' | 'is_primary' | 'status'>[]
  created: string
  [member: string]: unknown
}

export interface Domain {
  domain: string
  is_primary: boolean
  /** The site answers at `verified` domains only. */
  status: 'pending' | 'verified'
  /** The DNS record that proves the domain. */
  dns_record: { type: 'TXT'; name: string; value: string }
  [member: string]: unknown
}

export type Permission =
  | 'access_site'
  | 'view_site'
  | 'change_site'
  | 'delete_site'
  | 'manage_site'
  | 'manage_site_users'
  | 'admin_site'

const sitePath = (slug: string) => `/api/cloud/sites/${encodeURIComponent(slug)}/`

/** Creates the calls of sites. `organization`: its slug. */
export const siteCalls = (transport: Transport) => ({
  list: (organization: string, options?: ItemOptions): Promise<Items<Site>> =>
    readItems(transport, `${organizationPath(organization)}sites/`, options),
  get: (slug: string, { signal }: CallOptions = {}): Promise<Site> =>
    transport.json({ path: sitePath(slug), signal }),
  /** Creates a site. Without `slug`, the slug is made from the name. */
  create: (
    organization: string,
    input: { name: string; slug?: string | undefined; environment?: Environment | undefined },
    { signal }: CallOptions = {},
  ): Promise<Site> =>
    transport.json({ method: 'POST', path: `${organizationPath(organization)}sites/`, body: input, signal }),
  update: (slug: string, changes: Partial<SiteSettings>, { signal }: CallOptions = {}): Promise<Site> =>
    transport.json({ method: 'PATCH', path: sitePath(slug), body: changes, signal }),
  suspend: (slug: string, options?: CallOptions): Promise<Site> =>
    changeState(transport, `${sitePath(slug)}suspend/`, options),
  resume: (slug: string, options?: CallOptions): Promise<Site> =>
    changeState(transport, `${sitePath(slug)}resume/`, options),
  /**
   * Deletes a site. It can be restored until `deletes_at`. With `now`, a preview or a site for development is
   * erased at once.
   */
  delete: (slug: string, { now = false, signal }: CallOptions & { now?: boolean } = {}): Promise<Site> =>
    transport.json({
      method: 'DELETE',
      path: sitePath(slug),
      query: now ? { now, slug } : {},
      signal,
    }),
  restore: (slug: string, options?: CallOptions): Promise<Site> =>
    changeState(transport, `${sitePath(slug)}restore/`, options),
  audit: (slug: string, options?: AuditOptions): Promise<Items<AuditEntry>> =>
    readAudit(transport, sitePath(slug), options),
  /** The domains of a site, by its slug. */
  domains: (slug: string) => domainCalls(transport, `${sitePath(slug)}domains/`),
  /** The permissions and roles that were given to people in a site, by its slug. */
  permissions: (slug: string) => permissionCalls(transport, `${sitePath(slug)}permissions/`),
  /** The roles that people can have in a site, by its slug. */
  roles: (slug: string) => roleCalls(transport, `${sitePath(slug)}roles/`),
  /** The people of a site, by its slug. */
  people: (slug: string) => peopleCalls(transport, `${sitePath(slug)}people/`),
})

const changeState = (transport: Transport, path: string, { signal }: CallOptions = {}): Promise<Site> =>
  transport.json({ method: 'POST', path, signal })

/** Creates the calls of domains. */
function domainCalls(transport: Transport, domains: string) {
  const one = (domain: string) => `${domains}${encodeURIComponent(domain)}/`
  return {
    /** Lists the domains; without `page`, all of them. */
    list: (options?: ItemOptions): Promise<Items<Domain>> => readItems(transport, domains, options),
    /** Adds a domain, which is pending until its DNS record is found. */
    create: (
      domain: string,
      { isPrimary, signal }: CallOptions & { isPrimary?: boolean | undefined } = {},
    ): Promise<Domain> =>
      transport.json({ method: 'POST', path: domains, body: { domain, is_primary: isPrimary }, signal }),
    /** Looks up the DNS record. Throws InvalidRequestError if it does not exist. */
    verify: (domain: string, { signal }: CallOptions = {}): Promise<Domain> =>
      transport.json({ method: 'POST', path: `${one(domain)}verify/`, signal }),
    delete: (domain: string, { signal }: CallOptions = {}): Promise<void> =>
      transport.json({ method: 'DELETE', path: one(domain), signal }),
  }
}

/** An account that belongs to a site, or has used its data. */
interface Person {
  user: number
  /** Null, as `email` and `full_name`, for an account with which the organization has not dealt. */
  username: string | null
  email: string | null
  full_name: string | null
  /** What makes it a person of the site. */
  kind: 'member' | 'permission' | 'sign_up' | 'provider' | 'role' | 'visit'
  /** The act by which the person came; null: none is known. */
  joined_by: 'sign_up' | 'invitation' | 'directory' | 'provider' | null
  /** The role in the organization. */
  role: 'owner' | 'admin' | 'member' | null
  permissions: Permission[]
  /** The roles in the site. */
  roles: string[]
  since: string | null
  /** Whether the site keeps the person out. */
  blocked: boolean
  [member: string]: unknown
}

/** Creates the calls of people, which use the ids of accounts. */
function peopleCalls(transport: Transport, people: string) {
  const one = (user: number) => `${people}${encodeURIComponent(user)}/`
  return {
    list: (options?: ItemOptions): Promise<Items<Person>> => readItems(transport, people, options),
    /** Keeps a person out, or no longer. Either ends a sign-up. */
    async block(user: number, blocked: boolean, { signal }: CallOptions = {}): Promise<void> {
      await transport.send({ method: 'PUT', path: one(user), body: { blocked }, signal })
    },
    /** Ends that a person belongs to the site by a sign-up or a provider. */
    async remove(user: number, { signal }: CallOptions = {}): Promise<void> {
      await transport.send({ method: 'DELETE', path: one(user), signal })
    },
  }
}

/** Creates the calls of permissions, which use the ids of accounts. */
function permissionCalls(transport: Transport, granted: string) {
  const one = (user: number) => `${granted}${encodeURIComponent(user)}/`
  return {
    /** Returns the granted permissions, without those of a role in the organization. */
    async get(user: number, { signal }: CallOptions = {}): Promise<Permission[]> {
      return (await transport.json<Granted>({ path: one(user), signal })).permissions
    },
    /** Returns the roles that were given, without those of groups. */
    async roles(user: number, { signal }: CallOptions = {}): Promise<string[]> {
      return (await transport.json<Granted>({ path: one(user), signal })).roles
    },
    /** Grants exactly these permissions, and revokes all others. Without `roles`, the roles stay. */
    async replace(
      user: number,
      permissions: readonly Permission[],
      { roles, signal }: CallOptions & { roles?: readonly string[] } = {},
    ): Promise<Permission[]> {
      const call = { method: 'PUT', path: one(user), body: { permissions, roles }, signal } as const
      return (await transport.json<Granted>(call)).permissions
    },
  }
}

interface Granted {
  permissions: Permission[]
  roles: string[]
}

/** Creates the calls of the roles of a site. */
function roleCalls(transport: Transport, roles: string) {
  return {
    /** Lists the roles by name. */
    list: (options?: ItemOptions): Promise<Items<SiteRole>> => readItems(transport, roles, options),
    /** Replaces all roles. A role that is used cannot be left out. */
    replace: (all: readonly SiteRole[], { signal }: CallOptions = {}): Promise<SiteRole[]> =>
      transport.json({ method: 'PUT', path: roles, body: all, signal }),
  }
}
