/** The application: the middleware in its order, and the routes of all areas. */
import { type ErrorHandler, Hono } from 'hono'
import { dataRoutes } from './data/routes.ts'
import { commandLineRoutes } from './identity/accounts/command-line-routes.ts'
import { factorRoutes } from './identity/accounts/factor-routes.ts'
import { ownRoutes } from './identity/accounts/own-routes.ts'
import { ownAccountPages } from './identity/accounts/pages/account-routes.tsx'
import { commandLinePages } from './identity/accounts/pages/command-line-routes.tsx'
import { factorPages } from './identity/accounts/pages/factor-routes.tsx'
import { passkeyPages } from './identity/accounts/pages/passkey-routes.tsx'
import { linkPages } from './identity/accounts/pages/routes.tsx'
import { signUpPages } from './identity/accounts/pages/sign-up-routes.tsx'
import { passkeyRoutes } from './identity/accounts/passkey-routes.ts'
import { accountRoutes } from './identity/accounts/routes.ts'
import { signUpRoutes } from './identity/accounts/sign-up-routes.ts'
import { trustedDeviceRoutes } from './identity/accounts/trusted-device-routes.ts'
import { acceptancePages } from './identity/invitations/pages/routes.tsx'
import { invitationRoutes, tokenRoutes } from './identity/invitations/routes.ts'
import { providerLinkPages } from './identity/login/pages/link-routes.tsx'
import { accountPages } from './identity/login/pages/routes.tsx'
import { samlPages } from './identity/login/pages/saml-routes.tsx'
import { sessionRoutes } from './identity/login/session/routes.ts'
import { linkRoutes } from './identity/login/social/link-routes.ts'
import { socialLoginRoutes } from './identity/login/social/routes.ts'
import { socialAppRoutes } from './identity/login/social-apps/routes.ts'
import { mailboxPages } from './identity/mail/mailbox/routes.tsx'
import { stopPages } from './identity/mail/stops/routes.tsx'
import { organizationRoutes } from './identity/organizations/routes.ts'
import { brandingPages } from './identity/organizations/sites/branding/routes.ts'
import { siteStateRoutes } from './identity/organizations/sites/lifecycle/routes.ts'
import { siteRoutes } from './identity/organizations/sites/routes.ts'
import { scimKeyRoutes } from './identity/scim/keys/routes.ts'
import { scimRoutes } from './identity/scim/routes.ts'
import { unsupportedScimRoutes } from './identity/scim/unsupported-routes.ts'
import { userRoutes } from './identity/users/routes.ts'
import { apiKeyRoutes } from './kernel/access/api-keys/routes.ts'
import { jwtRoutes, wellKnownRoutes } from './kernel/access/jwt/routes.ts'
import type { AppEnv } from './kernel/http/app-env.ts'
import { limitBody, reserveBody } from './kernel/http/body.ts'
import { errorAndDetail, scimForm } from './kernel/http/dialects.ts'
import { respondToFailure } from './kernel/http/failures.ts'
import { contentPolicy, crossOrigin, noStore, securityHeaders } from './kernel/http/headers.ts'
import { requireKnownHost } from './kernel/http/known-host.ts'
import { notFoundHandler } from './kernel/http/not-found.ts'
import { requestContext, requireConfiguration, requireOneSite } from './kernel/http/request-context.ts'
import { identifyRequest } from './kernel/http/request-id.ts'
import { requestLog } from './kernel/http/request-log.ts'
import { mount, type Route } from './kernel/http/route.ts'
import { isPagePath, requireValidHost, routedPath } from './kernel/http/routed-path.ts'
import { renderErrorPage } from './kernel/page/error-page.tsx'
import { consolePages } from './operation/console/routes.ts'
import { docsPages } from './operation/docs/routes.tsx'
import { livenessRoutes, readinessRoutes } from './operation/health/routes.ts'
import { homePages } from './operation/home/routes.tsx'
import { mcpRoutes } from './operation/mcp/routes.ts'
import { questionRoutes } from './operation/questions/routes.ts'
import { referenceRoutes } from './operation/reference/routes.ts'
import { transferRoutes } from './operation/transfers/routes.ts'
import { watchingRoutes } from './operation/watching/routes.ts'
import { appEventRoutes, eventRoutes } from './runtime/events/routes.ts'
import { deadLetterRoutes } from './runtime/functions/dead-letters/routes.ts'
import { invocationRoutes } from './runtime/functions/invocations/routes.ts'
import { functionRoutes } from './runtime/functions/routes.ts'
import { skippedRunRoutes } from './runtime/functions/skipped-runs/routes.ts'
import { versionRoutes } from './runtime/functions/versions/routes.ts'
import { afterCommit } from './runtime/outbox/after-commit.ts'
import { secretRoutes } from './secrets/entries/routes.ts'
import { tagRoutes } from './secrets/tags/routes.ts'
import { secretTypeRoutes } from './secrets/types/routes.ts'

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
