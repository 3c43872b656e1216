/** What a provider is: a row of registry.ts says all that is special about one. S1. */

/** Whom a provider has named, in our own words. */
export interface Person {
  /** What the provider calls them, and never anybody else. */
  subject: string
  email: string | undefined
  /** Whether the provider says that it is theirs. */
  emailVerified: boolean
  firstName: string
  lastName: string
  username: string | undefined
}

/** What both kinds of provider have. */
interface Common {
  code: string
  /** What people call it. */
  label: string
  /** Asked for where the app's settings name no others. */
  scope: readonly string[]
  /** How the provider sends the browser back: where it posts a form, as `form_post`. */
  responseMode?: 'form_post'
  /** The secret to send, where it is not the app's own. */
  secretOf?(app: { clientId: string; secret: string; key: string }): Promise<string>
  /** The token answer as the standards have it. */
  tidyTokens?(tokens: Record<string, unknown>): Record<string, unknown>
}

/** Says all about itself in a discovery document, and about people in ID tokens. */
export interface OpenIdProvider extends Common {
  protocol: 'openid'
  /** Of the hosted service; `server` is a self-hosted instance. Null: only an app's own settings say where it is. */
  discovery(server: string | undefined): string | null
  /** Which issuers a discovery document at an address may name. */
  issuers(discovery: string): readonly string[]
  read(claims: Claims): Person
  /** Exceptions from what every provider is asked for and held to, for those that cannot. */
  without?: readonly ('pkce' | 'nonce')[]
}

/** OAuth 2 with an API of its own for who somebody is. */
export interface OAuthProvider extends Common {
  protocol: 'oauth2'
  /** `server` is a self-hosted instance. */
  endpoints(server: string | undefined): Endpoints
  authMethod: 'client_secret_basic' | 'client_secret_post'
  /** What its API wants to be told beside the access token. */
  headers?(clientId: string): Record<string, string>
  /** `get` asks the provider's API in the person's name. */
  read(get: (url: string) => Promise<unknown>, endpoints: Endpoints): Promise<Person>
}

/** Can be configured; nobody can sign in with it. */
interface UnsupportedProvider extends Common {
  protocol: 'saml'
}

export type Provider = OpenIdProvider | OAuthProvider | UnsupportedProvider

interface Endpoints {
  authorization: string
  token: string
  /** Where it says who somebody is, and where it lists their e-mails, if elsewhere. */
  profile: string
  emails?: string
}

/** What an ID token or the UserInfo endpoint says. */
export type Claims = Readonly<Record<string, unknown>>
