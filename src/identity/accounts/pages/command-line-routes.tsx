/** /accounts/cli: the page on which a user allows the command line to sign in. */
import type { Context } from 'hono'
import { inSession, visitor } from '../../../kernel/access/credentials.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { showPage } from '../../../kernel/page/show-page.tsx'
import { readMe } from '../../users/service.ts'
import { type SignInRequest, signInRequest } from '../command-line/schema.ts'
import { agree, isOld } from '../command-line/service.ts'
import { CommandLinePage, commandLinePath } from './command-line.tsx'

type PageContext = Context<AppEnv>

/** Parses the query of the command line. Throws 400 if it is invalid. */
function requestOf(members: Readonly<Record<string, string>>): SignInRequest {
  const { data } = signInRequest.safeParse(members)
  if (data) return data
  throw new AppError(400, 'validation_failed', {
    detail: 'This address is incomplete. Run `tessera login` again.',
  })
}

/** Sends the browser to the sign-in page first, and back here afterwards. */
function signInFirst(c: PageContext, request: SignInRequest): Response {
  const mount = mountOf(c.req.url)
  const members = Object.entries(request).map(([name, value]): [string, string] => [name, String(value)])
  const next = encodeURIComponent(`${mount}${commandLinePath}?${new URLSearchParams(members)}`)
  return c.redirect(`${mount}/accounts/login/?auto_redirect=false&next=${next}`, 303)
}

/**
 * Redirects the browser to the command line. The host is always the browser's own machine, so nobody else
 * gets the code.
 */
function toCommandLine(
  c: PageContext,
  { port, state }: SignInRequest,
  answer: Record<string, string>,
): Response {
  const target = new URL(`http://127.0.0.1:${port}/`)
  target.search = new URLSearchParams({ ...answer, state }).toString()
  return c.redirect(target.href, 303)
}

/** The page. The session's guard rejects forms from other origins. */
export const commandLinePages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/cli',
    auth: visitor,
    handle: async (c) => {
      const request = requestOf(c.req.query())
      const { ctx } = c.var
      if (!ctx.caller || isOld(ctx.caller, ctx)) return signInFirst(c, request)
      try {
        const { username } = await readMe(ctx)
        // The answer to the form redirects to the browser's own machine. Browsers apply this page's policy to
        // the redirect, too.
        c.header(
          'Content-Security-Policy',
          policyWith({ 'form-action': `'self' http://127.0.0.1:${request.port}` }),
        )
        const props = { mount: mountOf(c.req.url), request, username }
        return showPage(c, <CommandLinePage {...props} />)
      } catch (error) {
        if (error instanceof AppError && error.status === 401) return signInFirst(c, request)
        throw error
      }
    },
  }),
  page({
    method: 'POST',
    path: '/accounts/cli',
    auth: inSession,
    handle: async (c) => {
      const { answer, ...members } = await formOf(c)
      const request = requestOf(members)
      const { ctx } = c.var
      if (answer !== 'yes') return toCommandLine(c, request, { error: 'access_denied' })
      if (!ctx.caller || isOld(ctx.caller, ctx)) return signInFirst(c, request)
      return toCommandLine(c, request, { code: await agree(ctx, request) })
    },
  }),
]
