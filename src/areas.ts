/**
 * The areas of the application. An area is loaded when the first request needs one of its routes, so that an
 * isolate starts with little work. src/routes.json lists the routes of each area; `npm run routes` writes it.
 */
import type { AnswerRequest } from './kernel/http/app-env.ts'
import type { Route } from './kernel/http/route.ts'

/** What some areas need of the application that they belong to. */
export interface Application {
  /** Answers a request of the API. */
  fetch: AnswerRequest
  /** Loads all routes, in the order of the areas. */
  loadAll(): Promise<readonly Route[]>
}

type Load = (application: Application) => Promise<readonly Route[]>

/** How each area is loaded. If several routes match a request, the first one answers. */
export const areas = {
  liveness: async () => (await import('./operation/health/routes.ts')).livenessRoutes,
  docs: async () => (await import('./operation/docs/routes.tsx')).docsPages,
  console: async () => (await import('./operation/console/routes.ts')).consolePages,
  home: async () => (await import('./operation/home/routes.tsx')).homePages,
  readiness: async () => (await import('./operation/health/routes.ts')).readinessRoutes,
  jwt: async () => {
    const { wellKnownRoutes, jwtRoutes } = await import('./kernel/access/jwt/routes.ts')
    return [...wellKnownRoutes, ...jwtRoutes]
  },
  session: async () => (await import('./identity/login/session/routes.ts')).sessionRoutes,
  accounts: async () => (await import('./identity/accounts/routes.ts')).accountRoutes,
  signUp: async () => (await import('./identity/accounts/sign-up-routes.ts')).signUpRoutes,
  own: async () => (await import('./identity/accounts/own-routes.ts')).ownRoutes,
  factors: async () => (await import('./identity/accounts/factor-routes.ts')).factorRoutes,
  passkeys: async () => (await import('./identity/accounts/passkey-routes.ts')).passkeyRoutes,
  trustedDevices: async () =>
    (await import('./identity/accounts/trusted-device-routes.ts')).trustedDeviceRoutes,
  commandLine: async () => (await import('./identity/accounts/command-line-routes.ts')).commandLineRoutes,
  socialApps: async () => (await import('./identity/login/social-apps/routes.ts')).socialAppRoutes,
  socialLogin: async () => (await import('./identity/login/social/routes.ts')).socialLoginRoutes,
  links: async () => (await import('./identity/login/social/link-routes.ts')).linkRoutes,
  users: async () => (await import('./identity/users/routes.ts')).userRoutes,
  apiKeys: async () => (await import('./kernel/access/api-keys/routes.ts')).apiKeyRoutes,
  organizations: async () => (await import('./identity/organizations/routes.ts')).organizationRoutes,
  scimKeys: async () => (await import('./identity/scim/keys/routes.ts')).scimKeyRoutes,
  scim: async () => (await import('./identity/scim/routes.ts')).scimRoutes,
  unsupportedScim: async () => (await import('./identity/scim/unsupported-routes.ts')).unsupportedScimRoutes,
  invitations: async () => {
    const { invitationRoutes, tokenRoutes } = await import('./identity/invitations/routes.ts')
    return [...invitationRoutes, ...tokenRoutes]
  },
  acceptancePages: async () => (await import('./identity/invitations/pages/routes.tsx')).acceptancePages,
  mailboxPages: async () => (await import('./identity/mail/mailbox/routes.tsx')).mailboxPages,
  stopPages: async () => (await import('./identity/mail/stops/routes.tsx')).stopPages,
  sites: async () => (await import('./identity/organizations/sites/routes.ts')).siteRoutes,
  siteStates: async () =>
    (await import('./identity/organizations/sites/lifecycle/routes.ts')).siteStateRoutes,
  watching: async () => (await import('./operation/watching/routes.ts')).watchingRoutes,
  transfers: async () => (await import('./operation/transfers/routes.ts')).transferRoutes,
  secretTypes: async () => (await import('./secrets/types/routes.ts')).secretTypeRoutes,
  secrets: async () => (await import('./secrets/entries/routes.ts')).secretRoutes,
  tags: async () => (await import('./secrets/tags/routes.ts')).tagRoutes,
  apps: async () => (await import('./data/apps/routes.ts')).appRoutes,
  datasources: async () => (await import('./data/datasources/routes.ts')).datasourceRoutes,
  datatables: async () => {
    const { datatableRoutes, tableRoutes } = await import('./data/datatables/routes.ts')
    return [...datatableRoutes, ...tableRoutes]
  },
  schemaChanges: async () => (await import('./data/schema-changes/routes.ts')).schemaChangeRoutes,
  access: async () => (await import('./data/schema-changes/access-routes.ts')).accessRoutes,
  explanations: async () => (await import('./data/explanations/routes.ts')).explanationRoutes,
  records: async () => (await import('./data/records/routes.ts')).recordRoutes,
  advice: async () => (await import('./data/records/advice/routes.ts')).adviceRoutes,
  history: async () => (await import('./data/history/routes.ts')).historyRoutes,
  edges: async () => (await import('./data/edges/routes.ts')).edgeRoutes,
  batch: async () => (await import('./data/batch/routes.ts')).batchRoutes,
  functions: async () => (await import('./runtime/functions/routes.ts')).functionRoutes,
  versions: async () => (await import('./runtime/functions/versions/routes.ts')).versionRoutes,
  events: async () => {
    const { appEventRoutes, eventRoutes } = await import('./runtime/events/routes.ts')
    return [...appEventRoutes, ...eventRoutes]
  },
  invocations: async () => (await import('./runtime/functions/invocations/routes.ts')).invocationRoutes,
  deadLetters: async () => (await import('./runtime/functions/dead-letters/routes.ts')).deadLetterRoutes,
  skippedRuns: async () => (await import('./runtime/functions/skipped-runs/routes.ts')).skippedRunRoutes,
  mails: async () => (await import('./operation/mails/routes.ts')).mailRoutes,
  questions: async () => (await import('./operation/questions/routes.ts')).questionRoutes,
  live: async ({ fetch }) => (await import('./operation/live/routes.ts')).liveRoutes(fetch),
  mcp: async ({ fetch }) => (await import('./operation/mcp/routes.ts')).mcpRoutes(fetch),
  reference: async ({ loadAll }) =>
    (await import('./operation/reference/routes.ts')).referenceRoutes(loadAll),
  linkPages: async () => (await import('./identity/accounts/pages/routes.tsx')).linkPages,
  signUpPages: async () => (await import('./identity/accounts/pages/sign-up-routes.tsx')).signUpPages,
  passkeyPages: async () => (await import('./identity/accounts/pages/passkey-routes.tsx')).passkeyPages,
  factorPages: async () => (await import('./identity/accounts/pages/factor-routes.tsx')).factorPages,
  commandLinePages: async () =>
    (await import('./identity/accounts/pages/command-line-routes.tsx')).commandLinePages,
  ownAccountPages: async () => (await import('./identity/accounts/pages/account-routes.tsx')).ownAccountPages,
  brandingPages: async () =>
    (await import('./identity/organizations/sites/branding/routes.ts')).brandingPages,
  providerLinkPages: async () => (await import('./identity/login/pages/link-routes.tsx')).providerLinkPages,
  accountPages: async () => (await import('./identity/login/pages/routes.tsx')).accountPages,
  samlPages: async () => (await import('./identity/login/pages/saml-routes.tsx')).samlPages,
} satisfies Record<string, Load>

export type AreaName = keyof typeof areas
