/** A SAML provider in the test itself. It signs any document. */
import { type KeyObject, sign as signBytes } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import { createSite, type Site, type TestApp } from './app.ts'
import ecdsaCertificate from './certificate.pem?raw'
import ecdsaKey from './certificate-key.pem?raw'
import certificate from './saml-certificate.pem?raw'
import { metadataOf, type Needed, responseOf, type Said } from './saml-documents.ts'
import key from './saml-key.pem?raw'

export const keys = { rsa: key, ecdsa: ecdsaKey }
export const certificates = { rsa: certificate, ecdsa: ecdsaCertificate }

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const encryption = 'http://www.w3.org/2001/04/xmlenc#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

interface Signing {
  element?: 'Response' | 'Assertion'
  key?: string | KeyObject
  algorithm?: string
  digest?: string
  canonicalization?: string
  transforms?: string[]
}

/** The ECDSA signature that xml-crypto lacks. */
class Ecdsa {
  getAlgorithmName = () => `${more}ecdsa-sha256`
  getSignature = (text: string, privateKey: string) =>
    signBytes('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64')
  verifySignature = () => false
}

/** Signs one element of a document, after its issuer. */
export function sign(document: string, signing: Signing = {}): string {
  const { element = 'Assertion', key: privateKey = key } = signing
  const signed = new SignedXml({
    privateKey,
    signatureAlgorithm: signing.algorithm ?? `${more}rsa-sha256`,
    canonicalizationAlgorithm: signing.canonicalization ?? exclusive,
    idAttribute: 'ID',
  })
  signed.SignatureAlgorithms[`${more}ecdsa-sha256`] = Ecdsa as never
  const place = `//*[local-name(.)='${element}']`
  signed.addReference({
    xpath: place,
    transforms: signing.transforms ?? [enveloped, exclusive],
    digestAlgorithm: signing.digest ?? `${encryption}sha256`,
  })
  signed.computeSignature(document, {
    prefix: 'ds',
    location: { reference: `${place}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signed.getSignedXml()
}

/** Encodes a document for a form field. */
export const asField = (document: string): string => Buffer.from(document).toString('base64')

/** A sign-in that has started. */
export interface Started {
  state: string
  cookie: string
  requestId: string
  /** The URL that the browser was redirected to. */
  address: URL
}

export interface SamlSite extends Site {
  /** The entity id of the site at the provider. */
  entityId: string
  consumer(handle?: string): string
  addApp(handle: string, settings?: Record<string, unknown>, more?: Record<string, unknown>): Promise<void>
  start(handle?: string, next?: string): Promise<Started>
  /** Returns the content of a valid response to a sign-in. */
  answerTo(started: Pick<Started, 'requestId'> | null, handle?: string): Needed
  /** Returns a valid signed response, encoded for a form field. */
  field(started: Pick<Started, 'requestId'> | null, said?: Partial<Said>, signing?: Signing): string
  post(form: Record<string, string>, handle?: string): ReturnType<TestApp['request']>
}

/** Decodes the request in the URL of a redirect. */
export async function requestIn(address: URL): Promise<string> {
  const bytes = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')
  const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).text()
}

/** Creates a site with an app of the provider, `corp`. */
export async function createSamlSite(app: TestApp, name: string): Promise<SamlSite> {
  const site = await createSite(app, name)
  const entityId = `https://tessera.example.org/${name}`
  const base = `/sites/${name}/accounts`
  const consumer: SamlSite['consumer'] = (handle = 'corp') => `http://localhost${base}/saml/${handle}/acs/`
  const metadata = metadataOf({ certificates: [certificate, ecdsaCertificate] })
  const answerTo: SamlSite['answerTo'] = (started, handle) => ({
    destination: consumer(handle),
    recipient: consumer(handle),
    audience: entityId,
    answers: started?.requestId ?? null,
  })
  const samlSite: SamlSite = {
    ...site,
    entityId,
    consumer,
    answerTo,
    async addApp(handle, settings = {}, more = {}) {
      const body = {
        provider: 'saml',
        provider_id: handle,
        name: handle,
        client_id: entityId,
        secret: 'unused',
      }
      const made = await app.request('POST', `${site.api}/auth/social-apps/`, {
        token: site.owner.token,
        body: { ...body, settings: { saml: { metadata, ...settings } }, ...more },
      })
      if (made.status !== 201 || !made.body.data.is_configured) throw new Error(JSON.stringify(made.body))
    },
    async start(handle = 'corp', next = '/') {
      const answer = await app.request('GET', `${base}/${handle}/login/?next=${encodeURIComponent(next)}`)
      const address = new URL(answer.headers.get('location') ?? '', 'http://localhost')
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      const request = address.searchParams.has('SAMLRequest') ? await requestIn(address) : ''
      const state = cookie.split(/[=.]/).at(-1) ?? ''
      return { state, cookie, requestId: /ID="([^"]+)"/.exec(request)?.[1] ?? '', address }
    },
    field: (started, said = {}, signing = {}) =>
      asField(sign(responseOf({ ...answerTo(started), ...said }), signing)),
    post: (form, handle = 'corp') =>
      app.request('POST', `${base}/saml/${handle}/acs/`, {
        body: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://id.example.org' },
      }),
  }
  await samlSite.addApp('corp')
  return samlSite
}
