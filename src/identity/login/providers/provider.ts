/** The types of identity providers and of their claims about a person. S1. */

/** A person as an identity provider describes them. */
export interface Person {
  /** The provider's identifier of the person. It is unique and permanent for an issuer. */
  subject: string
  email: string | undefined
  /** True if the provider says that the e-mail belongs to the person. */
  emailVerified: boolean
  firstName: string
  lastName: string
  username: string | undefined
}

/** The properties of every kind of provider. */
interface CommonProvider {
  /** The name of the provider in the API. */
  code: string
  /** The display name of the provider. */
  label: string
  /** The scopes to request if the app's settings name none. */
  scope: readonly string[]
  /**
   * Returns why an app may not have this `server_url`; undefined if it may. Omitted: the provider has only
   * the hosted service, and an app has no `server_url`. S9.
   */
  serverProblem?(server: URL): string | undefined
  /** Set if the provider posts a form to the callback instead of redirecting the browser. */
  responseMode?: 'form_post'
  /** Derives the client secret to send from the app's secret and key. Omitted: the app's secret is sent. */
  secretOf?(app: { clientId: string; secret: string; key: string }): Promise<string>
}

/** A provider of OpenID Connect. It describes itself in a discovery document, and people in ID tokens. */
export interface OpenIdProvider extends CommonProvider {
  protocol: 'openid'
  /**
   * Returns the address of the discovery document. `server` is a self-hosted instance; undefined means the
   * hosted service. Null: only an app's own settings have the address.
   */
  discovery(server: string | undefined): string | null
  /** Tells whether the discovery document at this address may name an issuer. */
  isIssuer(issuer: string, discovery: string): boolean
  /** Reads the claims about a person. */
  read(claims: Claims): Person
  /** The checks that the provider does not support. */
  without?: readonly ('pkce' | 'nonce')[]
}

/** A provider of OAuth 2 that describes people in its own API. */
export interface OAuthProvider extends CommonProvider {
  protocol: 'oauth2'
  /** Returns the addresses. `server` is a self-hosted instance; undefined means the hosted service. */
  endpoints(server: string | undefined): Endpoints
  authMethod: 'client_secret_basic' | 'client_secret_post'
  /** Returns headers that the API needs in addition to the access token. */
  headers?(clientId: string): Record<string, string>
  /**
   * Reads the person from the API. `get` sends a request with the person's access token and returns the JSON
   * body.
   */
  read(get: (url: string) => Promise<unknown>, endpoints: Endpoints): Promise<Person>
}

/** A provider of SAML 2.0. It describes itself in its metadata, and people in signed assertions. */
interface SamlProvider extends CommonProvider {
  protocol: 'saml'
}

/** A row of registry.ts. */
export type Provider = OpenIdProvider | OAuthProvider | SamlProvider

interface Endpoints {
  authorization: string
  token: string
  /** The address of the person's profile. */
  profile: string
  /** The address of the person's e-mails, if the profile does not have them. */
  emails?: string
}

/** The claims of an ID token or of the UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>
