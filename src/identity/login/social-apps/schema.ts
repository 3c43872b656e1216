/** The request and response bodies of social apps. Spec: Social app; S1–S3. */
import * as z from 'zod'
import { identity } from '../../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { count, errorCode, id } from '../../../kernel/http/openapi/bodies.ts'
import { withFixed, withReadOnly } from '../../../kernel/http/with-read-only.ts'
import { providerCodes } from '../providers/registry.ts'
import { samlSettings } from '../saml/schema.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: [
    'id',
    'name',
    'provider',
    'provider_id',
    'provider_display',
    'is_configured',
    'icon',
    'auto_redirect',
  ],
  ordering: 'id',
  searched: 'the name, the provider, the client_id or the provider_id',
  pageSize: 10,
} as const satisfies ListForm

/** Replaces a secret in responses. In a request it means the stored secret. */
export const mask = '***HIDDEN***'

const provider = z
  .string()
  .refine(
    (code) => providerCodes.includes(code),
    `This is not a valid provider. Valid providers are: ${providerCodes.join(', ')}.`,
  )
  .meta({ enum: [...providerCodes] })

/** Words of paths that no app may have as its name there. */
const reserved = new Set(['jwt', 'session', 'social-apps', 'login'])

const providerId = z
  .string()
  .trim()
  .regex(
    /^(?:[A-Za-z0-9_][\w.-]{0,99})?$/,
    'An id has up to 100 letters, digits, hyphens, underscores and dots. ' +
      'It begins with a letter, a digit or an underscore.',
  )
  .refine((name) => !reserved.has(name.toLowerCase()), 'This id is reserved.')
  .meta({
    description: 'Required for `openid_connect` and `saml`. Other providers always have the empty string.',
  })

/** An http or https address. rules.ts checks whether the service may call it. */
const address = z
  .url({
    protocol: /^https?$/,
    error: 'Must be an address such as https://id.example.com/.well-known/openid-configuration.',
  })
  .max(2000)

/** An icon. The login page shows it as an image and names its host in the Content-Security-Policy. */
const icon = z
  .string()
  .max(2000)
  .refine(
    (text) => /^[a-z0-9-]{0,40}$/.test(text) || isImageAddress(text),
    'An icon must be an https address, or a name of lower-case letters, digits and hyphens.',
  )

function isImageAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return protocol === 'https:' && !username && !password && /^[a-z0-9.-]+$/.test(hostname)
}

const settings = z.strictObject({
  server_url: address.optional().meta({
    description:
      'The address of the discovery document, required for `openid_connect`. For `gitlab` and `github`, ' +
      'the address of a self-hosted instance; for `microsoft`, that of a tenant. Other providers have none.',
  }),
  icon: icon
    .optional()
    .meta({ description: 'An https address, or the code of a provider whose icon is used.' }),
  auto_redirect: z
    .boolean()
    .optional()
    .meta({ description: 'True if the login page redirects to this provider.' }),
  scope: z
    .array(
      z
        .string()
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'A scope must not have spaces, quotes or backslashes.'),
    )
    .max(50)
    .optional()
    .meta({ description: "The scopes to request, instead of the provider's default ones." }),
  token_endpoint_auth_method: z
    .enum(['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'])
    .optional()
    .describe('How the client authenticates at the token endpoint. Default: as the discovery document says.'),
  trust_email: z
    .boolean()
    .optional()
    .meta({
      description:
        'True if e-mails count as verified even if the provider does not say so. ' +
        'A person with the e-mail of an existing account can then sign in to this account. ' +
        'Not for `saml`.',
    }),
  saml: samlSettings.optional(),
})
export type Settings = z.infer<typeof settings>

const name = z.string().trim().min(1).max(100)
const clientId = z.string().trim().min(1).max(500)
const secret = z.string().min(1).max(10_000)
const key = z.string().max(10_000)

/** The query string of the list. */
export const socialAppsQuery = listQuery(listForm, {
  provider: z.string().optional().describe('The code of a provider.'),
})
export type SocialAppsQuery = z.infer<typeof socialAppsQuery>

const commonFields = {
  id: id.describe('The id of the social app.'),
  provider: z.string().describe('The code of the provider.'),
  provider_id: z
    .string()
    .describe('The name of the app in paths, for `openid_connect` and `saml`. Otherwise empty.'),
  name: z.string().describe('The display name.'),
  provider_display: z.string().meta({ description: 'The name of the provider.' }),
  is_configured: z.boolean().meta({ description: 'True if people can sign in with it.' }),
}

const listedSocialApp = z
  .object({
    ...commonFields,
    icon: z.string().describe('An https address, the code of a provider whose icon is used, or empty.'),
    auto_redirect: z.boolean().describe('True if the login page redirects to this provider.'),
  })
  .meta({ id: 'ListedSocialApp', description: 'A provider to sign in with.' })
export type ListedSocialApp = z.infer<typeof listedSocialApp>

/** An app as its managers see it. */
export const socialApp = z
  .object({
    ...commonFields,
    client_id: z
      .string()
      .describe('The client id from the provider. For `saml`: the entity id of the site at the provider.'),
    secret: z.string().meta({ description: `\`${mask}\`, except in the response that creates the app.` }),
    key: z.string().describe('An additional key that some providers issue.'),
    settings: settings
      .extend({
        icon: z.string().describe('An https address, the code of a provider whose icon is used, or empty.'),
        auto_redirect: z.boolean().describe('True if the login page redirects to this provider.'),
      })
      .describe('The settings of the sign-in.'),
  })
  .meta({ id: 'SocialApp', description: 'A provider to sign in with, with its settings.' })
export type SocialApp = z.infer<typeof socialApp>

/** The body that creates an app. */
export const socialAppInput = withReadOnly(
  {
    provider,
    provider_id: providerId.default(''),
    name,
    client_id: clientId,
    secret: secret
      .refine((text) => text !== mask, 'This is the mask of a secret, not a secret.')
      .describe(
        'The client secret from the provider. For `saml`: the private key that signs requests. ' +
          'Any text if they are not signed.',
      ),
    key: key.default(''),
    settings: settings.default({}),
  },
  socialApp,
  listedSocialApp,
)
export type SocialAppInput = z.infer<typeof socialAppInput>

/** The body that changes an app. Omitted fields are unchanged; `settings` is replaced as a whole. */
export const socialAppChange = withFixed(
  {
    ...identity,
    provider_display: 'It follows from the provider: change `provider`.',
    icon: 'Change `settings.icon`.',
    auto_redirect: 'Change `settings.auto_redirect`.',
  },
  {
    provider: provider.optional(),
    provider_id: providerId.optional(),
    name: name.optional(),
    client_id: clientId.optional(),
    secret: secret.optional().meta({ description: `\`${mask}\` keeps the stored value.` }),
    key: key.optional().meta({ description: `\`${mask}\` keeps the stored value.` }),
    settings: settings.optional(),
  },
  socialApp,
  listedSocialApp,
)
export type SocialAppChange = z.infer<typeof socialAppChange>

const success = {
  success: z.literal(true).describe('The request succeeded.'),
  message: z.string().describe('A sentence that describes the result.'),
}

/** A page of the list. */
export const socialAppsPage = z.object({
  ...success,
  data: z.array(listedSocialApp).describe('The items of the page.'),
  total: count.describe('The number of items on all pages.'),
  page: z.int().min(1).describe('The number of the page, from 1.'),
  page_size: z.int().min(1).describe('The maximum number of items on a page.'),
  total_pages: z.int().min(1).describe('The number of pages.'),
})
export type SocialAppsPage = z.infer<typeof socialAppsPage>

/** The response to creating and changing an app. */
export const socialAppSaved = z.object({
  ...success,
  data: socialApp.describe('The social app.'),
  problem: z
    .string()
    .optional()
    .meta({ description: 'Why people cannot sign in with it. Omitted if they can.' }),
})
export type SocialAppSaved = z.infer<typeof socialAppSaved>

/** The response to checking an app. */
export const socialAppCheck = z
  .object({
    success: z.literal(true).describe('The provider was asked.'),
    is_configured: z.boolean().describe('True if people can sign in with the app.'),
    problem: z
      .string()
      .nullable()
      .describe('Why people cannot sign in, or why the provider could not be asked. Null: no problem.'),
  })
  .meta({ id: 'SocialAppCheck', description: 'The result of checking a social app.' })
export type SocialAppCheck = z.infer<typeof socialAppCheck>

/** The response to deleting an app. */
export const socialAppDeleted = z.object(success)
export type SocialAppDeleted = z.infer<typeof socialAppDeleted>

/** The body of the 400 for an app that is in use. */
export const deleteBlocked = z.object({
  success: z.literal(false).describe('The request failed.'),
  message: z.string().describe('A sentence that describes the error.'),
  code: errorCode,
  suggestion: z.string().describe('Advice on how to proceed.'),
  active_users: z.int().min(1).describe('The number of accounts that sign in with the app.'),
})
