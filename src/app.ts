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
import { healthRoutes } from './health/routes.ts'
import type { AppEnv } from './http/app-env.ts'
import { limitedBody, readableBody, roomForBody } from './http/body.ts'
import { requestContext } from './http/context.ts'
import { errorAndDetail } from './http/dialects.ts'
import { respondToFailure } from './http/failures.ts'
import { browserHeaders, contentPolicy, crossOrigin, uncached } from './http/headers.ts'
import { notFoundHandler } from './http/not-found.ts'
import { isPagePath, routedPath } from './http/path.ts'
import { requestLog } from './http/request-log.ts'
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

const app = new Hono<AppEnv>({ getPath: routedPath })

app.use(
  requestId({ limitLength: 64 }),
  requestContext,
  requestLog,
  browserHeaders,
  contentPolicy,
  crossOrigin,
  roomForBody,
  limitedBody,
  readableBody,
)
for (const area of ['api', 'accounts']) app.use(`/${area}/*`, uncached)

app.route('/', healthRoutes)
app.route('/.well-known', wellKnownRoutes)
app.route('/api/auth/jwt', jwtRoutes)
app.route('/api/auth/session', sessionRoutes)
app.route('/api/auth/social-apps', socialAppRoutes)
app.route('/api/auth', socialLoginRoutes)

for (const area of ['users', 'api-keys', 'cloud/organizations', 'cloud/sites']) app.use(`/api/${area}/*`, signedIn)
for (const area of ['secrets', 'secret-types', 'tags']) app.use(`/api/${area}/*`, errorAndDetail)
for (const area of ['secret-types', 'tags']) app.use(`/api/${area}/*`, signedInOrSession)
for (const area of ['apps', 'invocations', 'cloud/events']) app.use(`/api/${area}/*`, signedInOrKey)
app.route('/api/users', userRoutes)
app.route('/api/api-keys', apiKeyRoutes)
app.route('/api/cloud/organizations', organizationRoutes)
app.route('/api/cloud/organizations/:organization/invitations', invitationRoutes)
app.route('/api/cloud/invitations', tokenRoutes)
app.route('/invitations', acceptancePages)
app.route('/_dev/mailbox', mailboxRoutes)
app.route('/api/cloud/sites', siteRoutes)
app.route('/api/secret-types', secretTypeRoutes)
app.route('/api/secrets', secretRoutes)
app.route('/api/tags', tagRoutes)
app.route('/api/apps', appRoutes)
app.route('/api/apps/:app/functions', functionRoutes)
app.route('/api/apps/:app/events', appEventRoutes)
app.route('/api/cloud/events', eventRoutes)
app.route('/api/invocations', invocationRoutes)
app.route(
  '/api',
  referenceRoutes(() => app.routes),
)
app.route('/accounts', pageRoutes)

app.onError((thrown, c) => (isPagePath(c.req.path) ? showFailure(thrown, c) : respondToFailure(thrown, c)))
app.notFound(notFoundHandler(app))

export { app }
