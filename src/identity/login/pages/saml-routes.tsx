/** /accounts/saml: the pages that a browser and a SAML provider use. S6. */
import { anonymous } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { showPage } from '../../../kernel/page/show-page.tsx'
import { ownMetadataOf, requestOf, takeResponse } from '../assertions/service.ts'
import { setAttempts } from '../social/attempt-responses.ts'
import { SamlRequestPage } from './saml-request.tsx'

/** The pages of signing in by SAML. */
export const samlPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/saml/:provider/metadata',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c, params) => {
      const document = await ownMetadataOf(c.var.ctx, c.req.url, params.provider)
      return c.body(document, 200, { 'Content-Type': 'application/samlmetadata+xml; charset=utf-8' })
    },
  }),
  // If a request needs a form or a signature, the sign-in starts here and continues at the provider.
  page({
    method: 'GET',
    path: '/accounts/saml/:provider/request',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c, params) => {
      const target = { url: c.req.url, handle: params.provider, state: c.req.query('state') ?? '' }
      const request = await requestOf(c.var.ctx, target)
      if (request.binding === 'redirect') return c.redirect(request.address, 302)
      // The provider may redirect the form to another one of its hosts.
      const targets = `${new URL(request.action).origin} https:`
      c.header('Content-Security-Policy', policyWith({ 'form-action': targets }))
      return showPage(c, <SamlRequestPage {...request} />)
    },
  }),
  // The provider's form arrives without this host's cookies. The browser sends them to the address in the
  // answer.
  page({
    method: 'POST',
    path: '/accounts/saml/:provider/acs',
    auth: anonymous,
    may: siteVisitors,
    formBytesMax: 1024 * 1024,
    handle: async (c, params) => {
      const { SAMLResponse: response = '', RelayState: relayState = '' } = await formOf(c)
      const sent = { url: c.req.url, handle: params.provider, response, relayState }
      const { address, newState } = await takeResponse(c.var.ctx, sent)
      if (newState !== null) setAttempts(c, newState)
      return c.redirect(address, 303)
    },
  }),
]
