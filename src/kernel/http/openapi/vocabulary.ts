/**
 * The texts of the reference that do not belong to a single operation: its chapters, path parameters and
 * credentials.
 */
import type { Credential } from './describe.ts'

interface Chapter {
  name: string
  description: string
  /** The page of the documentation for the chapter: the file below docs/. */
  guide: string
  /** The beginnings of the paths in the chapter. A path belongs to the chapter with the longest match. */
  prefixes: readonly string[]
}

/** The chapters, in the order of the reference. Each operation is in one of them. */
export const chapters: readonly Chapter[] = [
  {
    name: 'Sign-in',
    guide: 'guide/sign-in.md',
    description:
      'Sign in with a user name and a password: access tokens and refresh tokens for programs, ' +
      'session cookies for browsers.',
    prefixes: ['/api/auth/', '/.well-known/'],
  },
  {
    name: 'Social login',
    guide: 'guide/sign-in.md',
    description: 'Configure identity providers such as Google or GitHub, and sign in with them.',
    prefixes: ['/api/auth/social-apps/', '/api/auth/{provider}/'],
  },
  {
    name: 'API keys',
    guide: 'guide/sign-in.md',
    description: 'Credentials for programs. A key acts as one user in one site.',
    prefixes: ['/api/api-keys/'],
  },
  {
    name: 'Users',
    guide: 'guide/organizations-and-sites.md',
    description: 'Accounts. A user has one account for all organizations and sites.',
    prefixes: ['/api/users/'],
  },
  {
    name: 'Organizations',
    guide: 'guide/organizations-and-sites.md',
    description: 'Organizations, their members and the roles of members.',
    prefixes: ['/api/cloud/organizations/'],
  },
  {
    name: 'SCIM',
    guide: 'guide/scim.md',
    description:
      "SCIM 2.0 (RFC 7643, RFC 7644): an organization's directory, such as Okta or Microsoft Entra, " +
      'manages its members and groups.',
    prefixes: [
      '/api/cloud/organizations/{organization}/scim/',
      '/api/cloud/organizations/{organization}/scim-keys/',
    ],
  },
  {
    name: 'Invitations',
    guide: 'guide/invitations.md',
    description: 'Invite people to an organization by e-mail. The invited person accepts with a link.',
    prefixes: ['/api/cloud/invitations/', '/api/cloud/organizations/{organization}/invitations/'],
  },
  {
    name: 'Sites',
    guide: 'guide/organizations-and-sites.md',
    description: 'Sites are the tenants. A site belongs to an organization and has its own data and domains.',
    prefixes: ['/api/cloud/sites/'],
  },
  {
    name: 'Transfers',
    guide: 'operate/tenants.md',
    description: 'Copies, exports and imports of sites. Each of them is a job that runs step by step.',
    prefixes: [
      '/api/cloud/transfers/',
      '/api/cloud/sites/{site}/copy/',
      '/api/cloud/sites/{site}/exports/',
      '/api/cloud/organizations/{organization}/imports/',
    ],
  },
  {
    name: 'Secrets',
    guide: 'guide/secrets.md',
    description: 'Encrypted configuration values of a site or of one of its apps, with their history.',
    prefixes: ['/api/secrets/'],
  },
  {
    name: 'Secret types',
    guide: 'guide/secrets.md',
    description:
      'Secret types define which values a secret may have, by a JSON Schema, and who may read them.',
    prefixes: ['/api/secret-types/'],
  },
  {
    name: 'Tags',
    guide: 'guide/secrets.md',
    description: 'Labels for finding secrets.',
    prefixes: ['/api/tags/'],
  },
  {
    name: 'Apps',
    guide: 'guide/apps-and-tables.md',
    description: 'Apps group the datasources, datatables and functions of a site.',
    prefixes: ['/api/apps/'],
  },
  {
    name: 'Datasources',
    guide: 'guide/apps-and-tables.md',
    description: 'Datasources determine how the datatables of an app are stored.',
    prefixes: ['/api/apps/{app}/datasources/'],
  },
  {
    name: 'Datatables',
    guide: 'guide/apps-and-tables.md',
    description:
      'Datatables are schemas of records. Materializing a datatable creates its table in Postgres; ' +
      'changing its schema changes that table.',
    prefixes: ['/api/apps/{app}/datatables/', '/api/apps/{app}/datasources/{datasource}/datatables/'],
  },
  {
    name: 'Records',
    guide: 'guide/queries.md',
    description:
      'Records are the rows of materialized datatables: filter, sort, search, aggregate and populate them, ' +
      'and write them one by one or in bulk.',
    prefixes: ['/api/apps/{app}/datatables/{table}/data/', '/api/apps/{app}/batch/'],
  },
  {
    name: 'Edges',
    guide: 'guide/graphs.md',
    description: 'Edges connect the records of a datatable that is a hierarchy or a graph.',
    prefixes: ['/api/apps/{app}/datatables/{table}/edges/'],
  },
  {
    name: 'Functions',
    guide: 'guide/functions-and-events.md',
    description: 'JavaScript functions and webhooks, which run on request or when an event occurs.',
    prefixes: ['/api/apps/{app}/functions/', '/api/invocations/'],
  },
  {
    name: 'Questions and dashboards',
    guide: 'guide/questions.md',
    description: 'Aggregates of tables that are saved for the whole site, and shown together.',
    prefixes: ['/api/questions/', '/api/dashboards/'],
  },
  {
    name: 'Events',
    guide: 'guide/functions-and-events.md',
    description: 'Events that functions can subscribe to.',
    prefixes: ['/api/cloud/events/', '/api/apps/{app}/events/'],
  },
  {
    name: 'Service',
    guide: 'guide/conventions.md',
    description: 'The state of the service, and this reference.',
    prefixes: ['/'],
  },
]

interface PathParameter {
  description: string
  schema: { type: 'string' | 'integer' }
}

const text = (description: string): PathParameter => ({ description, schema: { type: 'string' } })
const number = (description: string): PathParameter => ({ description, schema: { type: 'integer' } })

/** The parameters of paths: one row for each name in the path of a route. */
export const pathParameters: ReadonlyMap<string, PathParameter> = new Map([
  ['app', text('The slug of the app.')],
  ['datasource', text('The slug of the datasource.')],
  ['table', text('The name of the datatable.')],
  [
    'record',
    text(
      'The primary key of the record. The values of a composite key are separated by commas, in the order ' +
        'of the key. A value that contains a comma or a double quote is enclosed in double quotes, and ' +
        'double quotes in it are doubled.',
    ),
  ],
  ['version', text('The number of the version.')],
  ['edge', text('The id of the edge.')],
  ['organization', text('The slug of the organization.')],
  ['site', text('The slug of the site.')],
  ['transfer', text('The id of the transfer.')],
  ['part', number('The number of the part, from 0.')],
  ['domain', text('The domain, a host name.')],
  ['user', number('The id of the user.')],
  ['username', text('The name of the user.')],
  ['group', text('The id of the group.')],
  ['account', text('The `id` of the user.')],
  ['resource_type', text('The name of the type: `User` or `Group`.')],
  ['schema', text('The name of the schema.')],
  ['passkey', number('The id of your passkey.')],
  ['device', number('The id of a device that you trust.')],
  ['link', number('The id of the link between a provider and your account.')],
  ['sign_in', text('The id of the sign-in.')],
  ['social_app', number('The id of the social app.')],
  [
    'provider',
    text(
      'The `provider_id` of the social app. If it has none: the name of the provider, for example `google`.',
    ),
  ],
  ['invitation', text('The UUID of the invitation.')],
  ['invitee', number('The id of the invited user.')],
  ['token', text('The UUID of the invitation, which is enough to accept it.')],
  ['key', number('The id of the API key.')],
  ['secret', text('The key of the secret.')],
  ['type', text('The slug of the secret type.')],
  ['tag', text('The slug of the tag.')],
  ['function', text('The slug of the function.')],
  ['event', text('The name of the event.')],
  ['invocation', number('The id of the invocation.')],
  ['question', number('The id of the question.')],
  ['dashboard', number('The id of the dashboard.')],
])

/** The credentials that the API accepts, as OpenAPI security schemes. */
export const securitySchemes: Readonly<Record<Exclude<Credential, 'none'>, Record<string, string>>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token from `POST /api/auth/jwt/token/`.',
  },
  'api-key': {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'An API key from `POST /api/api-keys/`, which returns it only once: `Authorization: Api-Key tsk_…`.',
  },
  'directory-key': {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key from `POST /api/cloud/organizations/{organization}/scim-keys/`, which returns it only once: ' +
      '`Authorization: Bearer tsc_…`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sessionid',
    description: 'The session cookie that `POST /api/auth/session/` sets.',
  },
}
