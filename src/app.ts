/** The application: the middleware in its order, and the routes of all areas. */
import { type ErrorHandler, Hono } from 'hono'
import { apiKeyRoutes } from './access/api-keys/routes.ts'
import { jwtRoutes, wellKnownRoutes } from './access/jwt/routes.ts'
import { commandLineRoutes } from './accounts/command-line-routes.ts'
import { factorRoutes } from './accounts/factor-routes.ts'
import { ownRoutes } from './accounts/own-routes.ts'
import { ownAccountPages } from './accounts/pages/account-routes.tsx'
import { commandLinePages } from './accounts/pages/command-line-routes.tsx'
import { factorPages } from './accounts/pages/factor-routes.tsx'
import { passkeyPages } from './accounts/pages/passkey-routes.tsx'
import { linkPages } from './accounts/pages/routes.tsx'
import { signUpPages } from './accounts/pages/sign-up-routes.tsx'
import { passkeyRoutes } from './accounts/passkey-routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { signUpRoutes } from './accounts/sign-up-routes.ts'
import { trustedDeviceRoutes } from './accounts/trusted-device-routes.ts'
import { consolePages } from './console/routes.ts'
import { dataRoutes } from './data/routes.ts'
import { docsPages } from './docs/routes.tsx'
import { appEventRoutes, eventRoutes } from './events/routes.ts'
import { deadLetterRoutes } from './functions/dead-letters/routes.ts'
import { invocationRoutes } from './functions/invocations/routes.ts'
import { functionRoutes } from './functions/routes.ts'
import { skippedRunRoutes } from './functions/skipped-runs/routes.ts'
import { versionRoutes } from './functions/versions/routes.ts'
import { livenessRoutes, readinessRoutes } from './health/routes.ts'
import { homePages } from './home/routes.tsx'
import type { AppEnv } from './http/app-env.ts'
import { limitBody, reserveBody } from './http/body.ts'
import { errorAndDetail, scimForm } from './http/dialects.ts'
import { respondToFailure } from './http/failures.ts'
import { contentPolicy, crossOrigin, noStore, securityHeaders } from './http/headers.ts'
import { requireKnownHost } from './http/known-host.ts'
import { notFoundHandler } from './http/not-found.ts'
import { requestContext, requireConfiguration, requireOneSite } from './http/request-context.ts'
import { identifyRequest } from './http/request-id.ts'
import { requestLog } from './http/request-log.ts'
import { mount, type Route } from './http/route.ts'
import { isPagePath, requireValidHost, routedPath } from './http/routed-path.ts'
import { acceptancePages } from './invitations/pages/routes.tsx'
import { invitationRoutes, tokenRoutes } from './invitations/routes.ts'
import { providerLinkPages } from './login/pages/link-routes.tsx'
import { accountPages } from './login/pages/routes.tsx'
import { samlPages } from './login/pages/saml-routes.tsx'
import { sessionRoutes } from './login/session/routes.ts'
import { linkRoutes } from './login/social/link-routes.ts'
import { socialLoginRoutes } from './login/social/routes.ts'
import { socialAppRoutes } from './login/social-apps/routes.ts'
import { mailboxPages } from './mail/mailbox/routes.tsx'
import { stopPages } from './mail/stops/routes.tsx'
import { mcpRoutes } from './mcp/routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { brandingPages } from './organizations/sites/branding/routes.ts'
import { siteStateRoutes } from './organizations/sites/lifecycle/routes.ts'
import { siteRoutes } from './organizations/sites/routes.ts'
import { afterCommit } from './outbox/after-commit.ts'
import { renderErrorPage } from './page/error-page.tsx'
import { questionRoutes } from './questions/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { scimKeyRoutes } from './scim/keys/routes.ts'
import { scimRoutes } from './scim/routes.ts'
import { unsupportedScimRoutes } from './scim/unsupported-routes.ts'
import { secretRoutes } from './secrets/entries/routes.ts'
import { tagRoutes } from './secrets/tags/routes.ts'
import { secretTypeRoutes } from './secrets/types/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { userRoutes } from './users/routes.ts'
import { watchingRoutes } from './watching/routes.ts'

/** All operations and pages. If several match a request, the first one answers. */
export const routes: readonly Route[] = [
  ...livenessRoutes,
  ...docsPages,
  ...consolePages,
  ...homePages,
  ...readinessRoutes,
  ...wellKnownRoutes,
  ...jwtRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...signUpRoutes,
  ...ownRoutes,
  ...factorRoutes,
  ...passkeyRoutes,
  ...trustedDeviceRoutes,
  ...commandLineRoutes,
  ...socialAppRoutes,
  ...socialLoginRoutes,
  ...linkRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...organizationRoutes,
  ...scimKeyRoutes,
  ...scimRoutes,
  ...unsupportedScimRoutes,
  ...invitationRoutes,
  ...tokenRoutes,
  ...acceptancePages,
  ...mailboxPages,
  ...stopPages,
  ...siteRoutes,
  ...siteStateRoutes,
  ...watchingRoutes,
  ...transferRoutes,
  ...secretTypeRoutes,
  ...secretRoutes,
  ...tagRoutes,
  ...dataRoutes,
  ...functionRoutes,
  ...versionRoutes,
  ...appEventRoutes,
  ...eventRoutes,
  ...invocationRoutes,
  ...deadLetterRoutes,
  ...skippedRunRoutes,
  ...questionRoutes,
  ...mcpRoutes((request, env, executionCtx) => app.fetch(request, env, executionCtx)),
  ...referenceRoutes(() => routes),
  ...linkPages,
  ...signUpPages,
  ...passkeyPages,
  ...factorPages,
  ...commandLinePages,
  ...ownAccountPages,
  ...brandingPages,
  ...providerLinkPages,
  ...accountPages,
  ...samlPages,
]

/** Answers errors of handlers, as a page if a browser asked for one. */
const onError: ErrorHandler<AppEnv> = (thrown, c) =>
  isPagePath(c.req.path) ? renderErrorPage(thrown, c) : respondToFailure(thrown, c)

/** The Hono application. */
const app = new Hono<AppEnv>({ getPath: routedPath })

app.use(identifyRequest, requestLog, securityHeaders, contentPolicy, requireValidHost, requireKnownHost)
mount(app, livenessRoutes, onError)
app.use(requireConfiguration)
mount(app, docsPages, onError)
mount(app, consolePages, onError)
// SCIM has its own form of errors, also for bodies that cannot be read.
app.use('/api/cloud/organizations/:organization/scim/*', scimForm.handler)
app.use(requestContext(afterCommit), crossOrigin, reserveBody, limitBody)
for (const area of ['api', 'accounts']) app.use(`/${area}/*`, noStore)
// In these areas all errors have another form, also for paths without an operation.
for (const area of ['secrets', 'secret-types', 'tags']) app.use(`/api/${area}/*`, errorAndDetail.handler)
app.use(requireOneSite)
mount(
  app,
  routes.filter((route) => ![...livenessRoutes, ...docsPages, ...consolePages].includes(route)),
  onError,
)
app.onError(onError)
app.notFound(notFoundHandler(routes))

export { app }
