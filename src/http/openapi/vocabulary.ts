/** The words of the API's reference that belong to no single route: its chapters, path parameters and credentials. */
import type { Credential } from './describe.ts'

interface Chapter {
  name: string
  description: string
  /** The beginnings of the paths that it is about; of several chapters, the one with the longest has a path. */
  prefixes: readonly string[]
}

export const chapters: readonly Chapter[] = [
  { name: 'Sign-in', description: 'Tokens for a name and a password, and sessions of browsers.', prefixes: ['/api/auth/', '/.well-known/'] },
  {
    name: 'Social login',
    description: 'Providers to sign in with, and signing in with them.',
    prefixes: ['/api/auth/social-apps/', '/api/auth/{provider}/'],
  },
  { name: 'API keys', description: 'Credentials of programs, each of a user and for a site.', prefixes: ['/api/api-keys/'] },
  { name: 'Users', description: 'Accounts, which hold on the whole platform.', prefixes: ['/api/users/'] },
  { name: 'Organizations', description: 'Who is in them, and their sites.', prefixes: ['/api/cloud/organizations/'] },
  {
    name: 'Invitations',
    description: 'Asking people to join an organization, and accepting it.',
    prefixes: ['/api/cloud/invitations/', '/api/cloud/organizations/{organization}/invitations/'],
  },
  { name: 'Sites', description: 'The tenants: their domains, and who may do what there.', prefixes: ['/api/cloud/sites/'] },
  { name: 'Secrets', description: 'Configuration that is kept encrypted: for the site, or for one app of it.', prefixes: ['/api/secrets/'] },
  { name: 'Secret types', description: 'What values secrets may have, and who may read them.', prefixes: ['/api/secret-types/'] },
  { name: 'Tags', description: 'Names that secrets are found by.', prefixes: ['/api/tags/'] },
  { name: 'Apps', description: 'What groups datasources and tables of a site.', prefixes: ['/api/apps/'] },
  { name: 'Datasources', description: 'Where the tables of an app are held.', prefixes: ['/api/apps/{app}/datasources/'] },
  {
    name: 'Datatables',
    description: 'Schemas, and the physical tables made of them.',
    prefixes: ['/api/apps/{app}/datatables/', '/api/apps/{app}/datasources/{datasource}/datatables/'],
  },
  { name: 'Records', description: 'The rows of materialized tables.', prefixes: ['/api/apps/{app}/datatables/{table}/data/'] },
  {
    name: 'Edges',
    description: 'What leads from record to record, in tables that are a hierarchy or a graph.',
    prefixes: ['/api/apps/{app}/datatables/{table}/edges/'],
  },
  {
    name: 'Functions',
    description: 'Code of your own, and calls of yours, that requests and events run.',
    prefixes: ['/api/apps/{app}/functions/', '/api/invocations/'],
  },
  { name: 'Events', description: 'What functions can be subscribed to.', prefixes: ['/api/cloud/events/', '/api/apps/{app}/events/'] },
  { name: 'Service', description: 'Whether it works, and its reference.', prefixes: ['/'] },
]

interface PathParameter {
  description: string
  schema: { type: 'string' | 'integer' }
}

const text = (description: string): PathParameter => ({ description, schema: { type: 'string' } })
const number = (description: string): PathParameter => ({ description, schema: { type: 'integer' } })

export const pathParameters: ReadonlyMap<string, PathParameter> = new Map([
  ['app', text('The slug of the app')],
  ['datasource', text('The slug of the datasource')],
  ['table', text('The name of the datatable')],
  [
    'record',
    text(
      'The primary key of the record. Values of a composite key are joined by commas, in its order; one that has a comma or a quote stands in double quotes, in which quotes are doubled',
    ),
  ],
  ['edge', text('The id of the edge')],
  ['organization', text('The slug of the organization')],
  ['site', text('The slug of the site')],
  ['domain', text('The host name')],
  ['user', number('The id of the user')],
  ['username', text('The user name')],
  ['social_app', number('The id of the social app')],
  ['provider', text('The `provider_id` of the social app, where it has one; else the code of its provider')],
  ['invitation', text('The uuid of the invitation')],
  ['invitee', number('The id of the user who is invited')],
  ['token', text('The uuid of the invitation, which is all that accepting it takes')],
  ['key', number('The id of the API key')],
  ['secret', text('The key of the secret')],
  ['type', text('The slug of the secret type')],
  ['tag', text('The slug of the tag')],
  ['function', text('The slug of the function')],
  ['event', text('The name of the event')],
  ['invocation', number('The id of the invocation')],
])

export const securitySchemes: Readonly<Record<Exclude<Credential, 'none'>, Record<string, string>>> = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of POST /api/auth/jwt/token/.' },
  'api-key': { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Api-Key tsk_…`, as POST /api/api-keys/ shows it once.' },
  session: { type: 'apiKey', in: 'cookie', name: 'sessionid', description: 'The cookie of POST /api/auth/session/.' },
}
