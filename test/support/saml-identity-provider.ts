/**
 * A SAML provider made with `samlp`, with a sign-in page and tiles. For a browser it is another site than the
 * service. Runs in Node.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import samlp from 'samlp'
import { metadataOf } from './saml-documents.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const [key, cert] = [read('saml-key.pem'), read('saml-certificate.pem')]

/** The credentials with which a site signs its requests. */
export const signer = { secret: key, key: cert }

/** A site that the provider knows. */
interface RegisteredSite {
  /** The entity id. */
  audience: string
  consumer: string
  /** Whether its requests must be signed with `signer`. */
  mustSign: boolean
}

type Fields = Record<string, string>

export interface SamlIdentityProvider {
  /** The address for a browser. */
  origin: string
  /** Returns the URL of the metadata for a site. */
  metadataUrl(name: string, binding: 'HTTP-Redirect' | 'HTTP-POST'): string
  register(name: string, site: RegisteredSite): void
  close(): Promise<void>
}

/** Returns a page that asks for a name and sends the parameters of the request with it. */
const loginPage = (method: string, action: string, fields: Fields) =>
  `<title>Provider</title><form method="${method}" action="${action}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
    .join('')}<label>Name <input name="user"></label><button>Sign in at the provider</button></form>`

async function formOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}

/** Returns the profile of a person, with the e-mail `<name>@corp.example`. */
const profileOf = (name: string) => ({
  id: name,
  emails: [{ value: `${name}@corp.example` }],
  displayName: name,
  name: { givenName: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, familyName: 'Example' },
})

export async function startSamlIdentityProvider(): Promise<SamlIdentityProvider> {
  const sites = new Map<string, RegisteredSite>()
  let origin = ''

  function respond(
    request: { method: string; query: Fields; body: Fields },
    user: string,
    { audience, consumer, mustSign }: RegisteredSite,
    response: ServerResponse,
  ): void {
    const handler = samlp.auth({
      issuer: `${origin}/`,
      cert,
      key,
      audience,
      destination: consumer,
      recipient: consumer,
      deflate: true,
      ...(mustSign ? { signingCert: cert } : {}),
      getPostURL: (...[, , , done]: ((error: null, address: string) => void)[]) => done?.(null, consumer),
    })
    handler(
      { ...request, user: profileOf(user) },
      { set: () => undefined, send: (body) => void response.end(body) },
      (error) => void response.writeHead(400).end(error.message),
    )
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const [, page = '', name = ''] = pathname.split('/')
    const { method = 'GET' } = request
    const query: Fields = Object.fromEntries(searchParams)
    const body = method === 'POST' ? await formOf(request) : {}
    response.setHeader('content-type', 'text/html')
    const site = sites.get(name)
    if (page === 'metadata') {
      const services = { [query.binding ?? '']: `${origin}/sso/${name}` }
      return void response.end(metadataOf({ entityId: `${origin}/`, certificates: [cert], services }))
    }
    if (!site) return void response.writeHead(404).end('no such site')
    if (page === 'tile')
      return respond({ method, query: { RelayState: '/?from-tile' }, body }, 'tilda', site, response)
    const { user } = { ...query, ...body }
    if (user === undefined) return void response.end(loginPage(method, pathname, { ...query, ...body }))
    respond({ method, query, body }, user, site, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  origin = `http://localhost:${port}`
  return {
    origin,
    metadataUrl: (name, binding) => `http://127.0.0.1:${port}/metadata/${name}?binding=${binding}`,
    register: (name, site) => void sites.set(name, site),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
