/** Table of contents: middleware in order, then the areas. */
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { apiKeyRoutes } from './access/api-keys/routes.ts'
import { signedIn, signedInOrKey, signedInOrSession } from './access/credentials.ts'
import { jwtRoutes, wellKnownRoutes } from './access/jwt/routes.ts'
import { appRoutes } from './data/apps/routes.ts'
import { appEventRoutes, eventRoutes } from './events/routes.ts'
import { invocationRoutes } from './functions/invocations/routes.ts'
import { functionRoutes } from './functions/routes.ts'
import { livenessRoutes, readinessRoutes } from './health/routes.ts'
import type { AppEnv } from './http/app-env.ts'
import { limitedBody, readableBody, roomForBody } from './http/body.ts'
import { oneSite, requestContext } from './http/context.ts'
import { errorAndDetail } from './http/dialects.ts'
import { respondToFailure } from './http/failures.ts'
import { browserHeaders, contentPolicy, crossOrigin, uncached } from './http/headers.ts'
import { notFoundHandler } from './http/not-found.ts'
import { isPagePath, readableAddress, routedPath } from './http/path.ts'
import { requestLog } from './http/request-log.ts'
import { addStrictly } from './http/strict.ts'
import { acceptancePages } from './invitations/pages/routes.tsx'
import { invitationRoutes, tokenRoutes } from './invitations/routes.ts'
import { pageRoutes } from './login/pages/routes.tsx'
import { sessionRoutes } from './login/session/routes.ts'
import { socialLoginRoutes } from './login/social/routes.ts'
import { socialAppRoutes } from './login/social-apps/routes.ts'
import { mailboxRoutes } from './mail/mailbox/routes.tsx'
import { organizationRoutes } from './organizations/routes.ts'
import { siteRoutes } from './organizations/sites/routes.ts'
import { showFailure } from './page/failures.tsx'
import { referenceRoutes } from './reference/routes.ts'
import { secretRoutes } from './secrets/entries/routes.ts'
import { tagRoutes } from './secrets/tags/routes.ts'
import { secretTypeRoutes } from './secrets/types/routes.ts'
import { userRoutes } from './users/routes.ts'

const areas = new Hono<AppEnv>()

areas.use(requestId({ limitLength: 64 }), requestLog, browserHeaders, contentPolicy, readableAddress)
areas.route('/', livenessRoutes)
areas.use(requestContext, crossOrigin, roomForBody, limitedBody, readableBody)
for (const area of ['api', 'accounts']) areas.use(`/${area}/*`, uncached)
for (const area of ['secrets', 'secret-types', 'tags']) areas.use(`/api/${area}/*`, errorAndDetail)
areas.use(oneSite)

areas.route('/', readinessRoutes)
areas.route('/.well-known', wellKnownRoutes)
areas.route('/api/auth/jwt', jwtRoutes)
areas.route('/api/auth/session', sessionRoutes)
areas.route('/api/auth/social-apps', socialAppRoutes)
areas.route('/api/auth', socialLoginRoutes)

for (const area of ['users', 'api-keys', 'cloud/organizations', 'cloud/sites']) areas.use(`/api/${area}/*`, signedIn)
for (const area of ['secret-types', 'tags']) areas.use(`/api/${area}/*`, signedInOrSession)
for (const area of ['apps', 'invocations', 'cloud/events']) areas.use(`/api/${area}/*`, signedInOrKey)
areas.route('/api/users', userRoutes)
areas.route('/api/api-keys', apiKeyRoutes)
areas.route('/api/cloud/organizations', organizationRoutes)
areas.route('/api/cloud/organizations/:organization/invitations', invitationRoutes)
areas.route('/api/cloud/invitations', tokenRoutes)
areas.route('/invitations', acceptancePages)
areas.route('/_dev/mailbox', mailboxRoutes)
areas.route('/api/cloud/sites', siteRoutes)
areas.route('/api/secret-types', secretTypeRoutes)
areas.route('/api/secrets', secretRoutes)
areas.route('/api/tags', tagRoutes)
areas.route('/api/apps', appRoutes)
areas.route('/api/apps/:app/functions', functionRoutes)
areas.route('/api/apps/:app/events', appEventRoutes)
areas.route('/api/cloud/events', eventRoutes)
areas.route('/api/invocations', invocationRoutes)
areas.route(
  '/api',
  referenceRoutes(() => app.routes),
)
areas.route('/accounts', pageRoutes)

const app = new Hono<AppEnv>({ getPath: routedPath })
addStrictly(app, areas.routes)
app.onError((thrown, c) => (isPagePath(c.req.path) ? showFailure(thrown, c) : respondToFailure(thrown, c)))
app.notFound(notFoundHandler(app))

export { app }
