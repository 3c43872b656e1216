/** The bodies and query parameters of sites. T6. */
import * as z from 'zod'
import { identities } from '../../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { id, timestamp, uuid } from '../../../kernel/http/openapi/bodies.ts'
import { withFixed, withReadOnly } from '../../../kernel/http/with-read-only.ts'
import { isHostName } from '../../../kernel/lib/host-name.ts'
import { storedAddress } from '../../../kernel/lib/mail-address.ts'
import { slugPattern, slugRule } from '../../../kernel/lib/slug-rule.ts'
import { branding, brandingChange } from './branding/schema.ts'
import { domainStatus } from './domains/schema.ts'
import { role, siteRoles } from './roles/schema.ts'

/** The orderings and the search of the list of sites. */
export const listForm = {
  orderings: ['name', 'slug', 'environment', 'created'],
  ordering: 'name',
  searched: 'the name or the slug',
} as const satisfies ListForm

/** The orderings and the search of the list of the sites that the caller may enter. */
export const enterableForm = {
  orderings: ['organization', ...listForm.orderings],
  ordering: 'organization,name',
  searched: 'the name or the slug, or the name of the organization',
} as const satisfies ListForm

const environments = ['production', 'staging', 'development', 'preview'] as const

const siteStates = ['active', 'suspended', 'deleted'] as const

const signUpModes = ['closed', 'invited', 'open'] as const

/** The domain of an e-mail address. */
const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite((domain) => storedAddress(`@${domain}`).slice(1))
  .refine((text) => isHostName(text) && text.includes('.'), 'A domain is required, for example example.com.')

const groupName = z.string().trim().min(1).max(150)
const listMax = 100

/** Who may sign up at a site, the conditions and groups of new accounts, and the roles of people. */
const accountSettings = {
  sign_up: z
    .enum(signUpModes)
    .describe(
      'Who may sign up with a password: nobody, people with a pending invitation of the organization, or ' +
        'anybody.',
    ),
  allowed_domains: z
    .array(emailDomain)
    .max(listMax)
    .describe('The e-mail domains that new accounts may have. Empty: any.'),
  require_verified_email: z
    .boolean()
    .describe('Whether an account is created only after its e-mail address was verified by a mailed link.'),
  sign_up_by_provider: z
    .boolean()
    .describe('Whether the first sign-in through a provider creates an account.'),
  domain_groups: z
    .array(
      z
        .strictObject({
          domain: emailDomain.describe('The domain of the e-mail address.'),
          group: groupName.optional().describe('The name of the group. It is created if it does not exist.'),
          role: role.shape.name.optional().describe('The name of a role of the site.'),
        })
        .refine(
          ({ group, role }) => group !== undefined || role !== undefined,
          'A group or a role is required.',
        ),
    )
    .max(listMax)
    .describe(
      'The groups and roles that a person gets who signs up with a verified address of a domain. With a ' +
        'group, the person becomes a member of the organization.',
    ),
  roles: siteRoles,
  requires_factor: z
    .boolean()
    .describe(
      'Whether members of the organization, and everyone with a permission or a role in the site, need a ' +
        'second factor. The organization can also require one in all of its sites.',
    ),
}

/** A site in an answer. */
export const site = z
  .object({
    id: id.describe('The id of the site.'),
    uuid: uuid.describe('The UUID of the site.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, which is part of URLs and of the subdomain.'),
    schema_name: z.string().describe('The name of the schema and of the role in Postgres.'),
    environment: z
      .enum(environments)
      .describe('The purpose of the site. A copy and an import are a `preview`, which begins paused.'),
    paused: z
      .boolean()
      .describe(
        'Whether the site does not act by itself: schedules and events run no functions, and what has to ' +
          'wait for a function is refused. Functions run when somebody runs them.',
      ),
    state: z.enum(siteStates).describe('The state of the site. A suspended or deleted site answers 404.'),
    deletes_at: timestamp
      .nullable()
      .describe(
        'When the deleted site will be erased. Until then it can be restored. Null: it is not deleted.',
      ),
    domains: z
      .array(
        z.object({
          domain: z.string().describe('The host name.'),
          is_primary: z.boolean().describe('Whether it is the primary domain of the site.'),
          status: domainStatus,
        }),
      )
      .describe('The domains of the site.'),
    ...accountSettings,
    branding,
    created: timestamp.describe('The time of creation.'),
  })
  .meta({ id: 'Site', description: 'A site: a tenant with its own data.' })
export type Site = z.infer<typeof site>

/** A site that the caller may enter. */
export const enterableSite = site
  .pick({ id: true, uuid: true, name: true, slug: true, environment: true, created: true })
  .extend({
    organization: z
      .object({
        name: z.string().describe('Its name.'),
        slug: z.string().describe('Its slug, which is part of URLs.'),
      })
      .describe('The organization of the site.'),
  })
  .meta({ id: 'EnterableSite', description: 'A site that the caller may enter.' })
/** A site that the caller may enter. */
export type EnterableSite = z.infer<typeof enterableSite>

/** The body that creates a site. */
export const newSite = withReadOnly(
  {
    name: z.string().trim().min(1).max(100),
    slug: z
      .string()
      .regex(slugPattern, slugRule)
      .optional()
      .describe('If omitted, the slug is made from the name.'),
    environment: z.enum(environments).default('production'),
  },
  site,
)
export type NewSite = z.infer<typeof newSite>

/** The body that changes a site. */
export const siteChange = withFixed(
  {
    ...identities,
    schema_name: 'The service gives it: omit it, or send it as it was read.',
    state: 'Use `POST …/suspend/`, `POST …/resume/`, `DELETE` or `POST …/restore/`.',
  },
  {
    name: z.string().trim().min(1).max(100).optional(),
    slug: z
      .string()
      .regex(slugPattern, slugRule)
      .optional()
      .describe('A new slug. The site no longer answers at addresses with the old slug, which becomes free.'),
    environment: z.enum(environments).optional(),
    paused: z.boolean().optional(),
    sign_up: accountSettings.sign_up.optional(),
    allowed_domains: accountSettings.allowed_domains.optional(),
    require_verified_email: accountSettings.require_verified_email.optional(),
    sign_up_by_provider: accountSettings.sign_up_by_provider.optional(),
    domain_groups: accountSettings.domain_groups.optional(),
    roles: accountSettings.roles.optional(),
    requires_factor: accountSettings.requires_factor.optional(),
    branding: brandingChange.optional(),
  },
  site,
)
export type SiteChange = z.infer<typeof siteChange>

/** The query parameters of the list of sites. */
export const sitesQuery = listQuery(listForm, {})
export type SitesQuery = z.infer<typeof sitesQuery>

/** The query parameters of the list of the sites that the caller may enter. */
export const enterableSitesQuery = listQuery(enterableForm, {})
/** The parsed query parameters of that list. */
export type EnterableSitesQuery = z.infer<typeof enterableSitesQuery>
