/**
 * A request for each operation of the API, in an order in which they succeed: the life of the demo's tool
 * library.
 */
import { agreeOnPage } from './command-line.ts'
import type { Provider } from './provider.ts'
import type { Recorder } from './recorder.ts'

const password = 'Correct-horse-1'

export interface Admin {
  email: string
  password: string
}

/** Performs the requests about the service itself, and signs in and out. Returns an access token. */
export async function askAccess(
  { ask, header }: Recorder,
  address: string,
  { email, password }: Admin,
): Promise<string> {
  await ask('getLiveness')
  await ask('getReadiness')
  await ask('getSigningKeys')
  await ask('getOpenApiDocument')
  const body = { username: email, password }
  const first = await ask('createToken', { body })
  const { access: token, refresh } = await ask('refreshToken', { body: { refresh: first.refresh } })
  await ask('verifyToken', { body: { token } })
  await ask('getCurrentUser', { token })
  await ask('createSession', { body })
  const cookie = header('set-cookie')?.split(';')[0] ?? ''
  await ask('createSessionToken', { headers: { cookie } })
  await ask('createCommandLineToken', { body: await agreeOnPage(address, cookie) })
  await ask('deleteSession', { headers: { cookie } })
  const scope = { app: 'library', tables: ['tools', 'loans'], can: ['read', 'create'] }
  const till = { name: 'Till', expires_at: '2036-01-31T18:30:00Z', scopes: [scope] }
  await ask('createApiKey', { token, body: till })
  const { results } = await ask('listApiKeys', { token })
  const values = { key: results[0].id }
  await ask('getApiKey', { token, values })
  await ask('updateApiKey', { token, values, body: { allowed_addresses: ['192.0.2.0/24'] } })
  await ask('rotateApiKey', { token, values, body: { overlap_seconds: 3600 } })
  await ask('deleteApiKey', { token, values })
  await ask('blacklistToken', { body: { refresh } })
  return (await ask('createToken', { body })).access
}

/** Organizations, their people and sites. */
export async function askOrganizations({ ask }: Recorder, token: string): Promise<void> {
  const acme = { organization: 'acme', site: 'acme-shop' }
  await ask('listOrganizations', { token })
  await ask('createOrganization', { token, body: { name: 'Acme' } })
  await ask('getOrganization', { token })
  await ask('updateOrganization', { token, values: acme, body: { name: 'Acme Tools' } })
  await ask('createSite', {
    token,
    values: acme,
    body: { name: 'Acme shop', slug: 'acme-shop', environment: 'staging' },
  })
  await ask('listSites', { token })
  await ask('listEnterableSites', { token })
  await ask('getSite', { token })
  await ask('updateSite', { token, values: acme, body: { name: 'Acme shop', environment: 'production' } })
  const domain = 'shop.example.com'
  await ask('createDomain', { token, values: acme, body: { domain, is_primary: true } })
  await ask('listDomains', { token, values: acme })
  await ask('verifyDomain', { token, values: { ...acme, domain } })
  await ask('deleteDomain', { token, values: { ...acme, domain } })
  await ask('suspendSite', { token, values: acme })
  await ask('resumeSite', { token, values: acme })
  await ask('deleteSite', { token, values: acme })
  await ask('deleteOrganization', { token, values: acme })
  await ask('restoreOrganization', { token, values: acme })
  await ask('restoreSite', { token, values: acme })
  await ask('listRecordsOfSites', { token, query: '?app=library&table=tools&_sort=name&page_size=1' })
  await ask('listSiteAudit', { token })
  await ask('listOrganizationAudit', { token })

  const account = {
    username: 'ada',
    email: 'ada@example.org',
    password,
    first_name: 'Ada',
    last_name: 'Almeida',
  }
  const ada = await ask('createUser', { token, body: account })
  await ask('listUsers', { token })
  await ask('getUser', { token, values: { username: 'ada' } })
  await ask('updateUser', { token, values: { username: 'ada' }, body: { last_name: 'Berg' } })
  const clerk = { name: 'clerk', title: 'Clerk', description: 'Lends and takes back', groups: ['Staff'] }
  await ask('replaceSiteRoles', { token, body: [clerk] })
  await ask('listSiteRoles', { token })
  await ask('replaceSitePermissions', {
    token,
    values: { user: ada.id },
    body: { permissions: ['access_site', 'change_site'], roles: ['clerk'] },
  })
  await ask('getSitePermissions', { token, values: { user: ada.id } })
  const { access } = await ask('createToken', { body: { username: 'ada', password } })
  await ask('acceptSitePermissions', { token: access, values: { site: 'demo' } })
  await ask('declineSitePermissions', { token: access, values: { site: 'demo' } })

  const invitation_config = { group: ['Staff'], site: [{ slug: 'demo', permissions: ['access_site'] }] }
  const invited = await ask('createInvitation', {
    token,
    body: { invitee_identifier: 'bram@example.org', invitation_config },
  })
  const values = { invitation: invited.uuid, token: invited.uuid, invitee: invited.invitee }
  await ask('listInvitations', { token })
  await ask('getInvitation', { token, values })
  await ask('resendInvitation', { token, values })
  await ask('getInvitationDetails', { values })
  const accepted = await ask('acceptInvitation', {
    values,
    body: { password, first_name: 'Bram', last_name: 'Dube' },
  })
  await ask('listMembers', { token })
  await ask('updateMember', { token, values: { user: accepted.user.id }, body: { role: 'admin' } })
  await ask('deleteMember', { token, values: { user: accepted.user.id } })
  const other = await ask('createInvitation', { token, body: { invitee_identifier: 'chioma@example.org' } })
  await ask('cancelInvitation', { token, values: { invitation: other.uuid } })
  await ask('deleteUser', { token, values: { username: 'ada' } })
}

/** Performs sign-ins through a provider. `letter` returns the code in the latest e-mail that has one. */
export async function askSocialLogin(
  { ask }: Recorder,
  token: string,
  provider: Provider,
  letter: () => Promise<string>,
): Promise<void> {
  const { data: app } = await ask('createSocialApp', {
    token,
    body: {
      provider: 'openid_connect',
      provider_id: 'staff',
      name: 'Staff',
      client_id: provider.clientId,
      secret: 'client-secret',
      settings: { server_url: provider.discovery },
    },
  })
  const values = { social_app: app.id, provider: 'staff' }
  await ask('listSocialApps')
  await ask('getSocialApp', { token, values })
  await ask('updateSocialApp', { token, values, body: { name: 'Staff sign-in' } })
  await ask('getProviderRedirect', { token, values })
  const claims = {
    sub: '248289761001',
    email: 'dario@example.org',
    email_verified: true,
    given_name: 'Dario',
    family_name: 'Eriksen',
  }
  await ask('createProviderToken', { values, body: { code: provider.codeFor(claims) } })
  // An account that belongs to another organization is attached by a mailed code.
  await ask('createUser', {
    token,
    body: { username: 'elif', email: 'elif@example.org', password, first_name: 'Elif', last_name: 'Berg' },
  })
  const { access } = await ask('createToken', { body: { username: 'elif', password } })
  await ask('createOrganization', { token: access, body: { name: 'Elsewhere' } })
  const elif = { ...claims, sub: '248289761002', email: 'elif@example.org' }
  const { confirmation } = await ask('createProviderToken', {
    values,
    body: { code: provider.codeFor(elif) },
    status: 403,
  })
  await ask('confirmSignIn', { body: { confirmation, code: await letter() } })
  const second = await ask('createSocialApp', {
    token,
    body: { provider: 'github', name: 'GitHub', client_id: 'a', secret: 'b' },
  })
  await ask('checkSocialApp', { token, values: { social_app: second.data.id } })
  await ask('deleteSocialApp', { token, values: { social_app: second.data.id } })
}

/** Secrets, their types and tags. */
export async function askSecrets({ ask }: Recorder, token: string): Promise<void> {
  const schema = {
    type: 'object',
    properties: { host: { type: 'string' }, port: { type: 'integer' } },
    required: ['host'],
  }
  const type = { type: 'printer', tag: 'shop', secret: 'PRINTER' }
  await ask('createSecretType', {
    token,
    body: { name: 'printer', description: 'Where labels are printed.', schema },
  })
  await ask('listSecretTypes', { token })
  await ask('getSecretType', { token, values: type })
  await ask('replaceSecretType', {
    token,
    values: type,
    body: { description: 'Where labels and receipts are printed.' },
  })
  await ask('createTag', { token, body: { name: 'shop', color: '#0EA5E9' } })
  await ask('listTags', { token })
  await ask('getTag', { token, values: type })
  await ask('replaceTag', {
    token,
    values: type,
    body: { name: 'shop', description: 'What the shop needs.', color: '#0EA5E9' },
  })
  await ask('updateTag', { token, values: type, body: { color: '#6B7280' } })
  const value = { host: 'printer.example.com', port: 631 }
  await ask('createSecret', {
    token,
    body: { secret_type: 'printer', key: 'PRINTER', value, tags: ['shop'] },
  })
  await ask('listSecrets', { token })
  await ask('getSecret', { token, values: type })
  await ask('replaceSecret', { token, values: type, body: { value: { ...value, port: 9100 } } })
  await ask('listSecretHistory', { token, values: type })
  await ask('deleteSecret', { token, values: type })
  await ask('deleteTag', { token, values: type })
  await ask('deleteSecretType', { token, values: type })
}

/** Saved questions and dashboards. */
export async function askQuestions({ ask }: Recorder, token: string): Promise<void> {
  const fees = { app: 'library', table: 'tools', measure: 'sum', field: 'daily_fee' }
  const body = { name: 'Fees by condition', ...fees, group_by: 'condition' }
  const values = { question: (await ask('createQuestion', { token, body })).id }
  await ask('listQuestions', { token })
  await ask('getQuestion', { token, values })
  const filters = { weight_grams__gt: 1000 }
  await ask('replaceQuestion', { token, values, body: { ...body, name: 'Fees of heavy tools', filters } })
  await ask('deleteQuestion', { token, values })
  const dashboard = { name: 'Tools', questions: [{ name: 'Fees', ...fees }] }
  const made = { dashboard: (await ask('createDashboard', { token, body: dashboard })).id }
  await ask('listDashboards', { token })
  await ask('getDashboard', { token, values: made })
  await ask('replaceDashboard', { token, values: made, body: { ...dashboard, name: 'The tools' } })
  await ask('deleteDashboard', { token, values: made })
}

/** Functions and events. */
export async function askFunctions({ ask }: Recorder, token: string): Promise<void> {
  const code = 'export default ({ days, fee }) => days * fee'
  const made = await ask('createFunction', {
    token,
    body: { name: 'Fee', description: 'What a loan costs.', code },
  })
  const values = { function: made.slug, event: 'RECORD_CREATE' }
  await ask('listFunctions', { token })
  await ask('getFunction', { token, values })
  await ask('replaceFunction', { token, values, body: { name: 'Fee', code, timeout_seconds: 10 } })
  await ask('updateFunction', { token, values, body: { description: 'What a loan costs in all.' } })
  await ask('listFunctionVersions', { token, values })
  await ask('getFunctionVersion', { token, values: { ...values, version: 1 } })
  await ask('restoreFunctionVersion', { token, values: { ...values, version: 1 } })
  const { invocation } = await ask('executeFunction', {
    token,
    values,
    body: { params: { days: 14, fee: 2.5 } },
  })
  await ask('executeFunction', { token, values, body: { params: { days: 14, fee: 2.5 }, async: true } })
  await ask('listEvents', { token })
  await ask('subscribeToEvent', { token, values, body: { function_id: made.id } })
  await ask('listEventSubscribers', { token, values })
  await ask('unsubscribeFromEvent', { token, values, body: { function_id: made.id } })
  await ask('getInvocation', { token, values: { invocation: invocation.id } })
  const failing = await ask('createFunction', {
    token,
    body: { name: 'Failing', execution_mode: 'system', system_function: 'fail' },
  })
  const failed = await ask('executeFunction', { token, values: { function: failing.slug }, body: {} })
  await ask('replayInvocation', { token, values: { invocation: failed.invocation.id } })
  // A dead letter that is not replayed.
  await ask('executeFunction', { token, values: { function: failing.slug }, body: {} })
  await ask('listInvocations', {
    token,
    query: `?status=SUCCESS&function_slug=${made.slug}&ordering=created_at&page_size=1`,
  })
  await ask('deleteFunction', { token, values })
  const called = await ask('createFunction', {
    token,
    body: { name: 'Hook', execution_mode: 'proxy', webhook_url: 'https://hooks.example.com/tools' },
  })
  const body = { overlap_seconds: 3600 }
  await ask('rotateSigningSecret', { token, values: { function: called.slug }, body })
}
