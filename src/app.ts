/** The application: the middleware in its order, and the routes of all areas. */
import { type ErrorHandler, Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { AreaName } from './areas.ts'
import type { AppEnv } from './kernel/http/app-env.ts'
import { limitBody, reserveBody } from './kernel/http/body.ts'
import { errorAndDetail, scimForm } from './kernel/http/dialects.ts'
import { respondToFailure } from './kernel/http/failures.ts'
import { contentPolicy, crossOrigin, noStore, securityHeaders } from './kernel/http/headers.ts'
import { requireKnownHost } from './kernel/http/known-host.ts'
import { mount } from './kernel/http/mount.ts'
import { notFoundHandler } from './kernel/http/not-found.ts'
import { requestContext, requireConfiguration, requireOneSite } from './kernel/http/request-context.ts'
import { identifyRequest } from './kernel/http/request-id.ts'
import { requestLog } from './kernel/http/request-log.ts'
import { isPagePath, requireValidHost, routedPath } from './kernel/http/routed-path.ts'
import { areaNames, routesOf } from './route-list.ts'
import { afterCommit } from './runtime/outbox/after-commit.ts'

/** Answers errors of handlers, as a page if a browser asked for one. */
const onError: ErrorHandler<AppEnv> = async (thrown, c) => {
  if (!isPagePath(c.req.path)) return respondToFailure(thrown, c)
  const { renderErrorPage } = await import('./kernel/page/error-page.tsx')
  return renderErrorPage(thrown, c)
}

/** The Hono application. */
const app = new Hono<AppEnv>({ getPath: routedPath, router: new TrieRouter() })

const routes = routesOf((request, env, executionCtx) => app.fetch(request, env, executionCtx))
/** The areas whose routes precede middleware that others need. */
const first: readonly AreaName[] = ['liveness', 'docs', 'console']

app.use(identifyRequest, requestLog, securityHeaders, contentPolicy, requireValidHost, requireKnownHost)
mount(app, routes.of(['liveness']), onError)
app.use(requireConfiguration)
mount(app, routes.of(['docs']), onError)
mount(app, routes.of(['console']), onError)
// SCIM has its own form of errors, also for bodies that cannot be read.
app.use('/api/cloud/organizations/:organization/scim/*', scimForm.handler)
app.use(requestContext(afterCommit), crossOrigin, reserveBody, limitBody)
for (const area of ['api', 'accounts']) app.use(`/${area}/*`, noStore)
// In these areas all errors have another form, also for paths without an operation.
for (const area of ['secrets', 'secret-types', 'tags']) app.use(`/api/${area}/*`, errorAndDetail.handler)
app.use(requireOneSite)
app.use('/api/apps/:app/datatables/:table/data/*', async (c, next) => {
  if (!c.req.header('accept')?.includes('event-stream')) return next()
  const { follow } = await import('./operation/live/follow-routes.ts')
  return follow(app.fetch)(c, next)
})
const others = areaNames.filter((name) => !first.includes(name))
mount(app, routes.of(others), onError)
app.onError(onError)
app.notFound(notFoundHandler(routes.of(areaNames)))

export const { loadAll: loadRoutes } = routes
export { app }
