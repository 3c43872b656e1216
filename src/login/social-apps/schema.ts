/** What goes into a social app, and what is seen of it. Spec: Social app; S1–S3. */
import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { count, id } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { providerCodes } from '../providers/registry.ts'
import { list } from './store.ts'

/** Stands in the place of a secret. Sent back, it means the secret that is stored. */
export const mask = '***HIDDEN***'

const provider = z
  .string()
  .refine((code) => providerCodes.includes(code), `This is no valid provider. Valid providers are: ${providerCodes.join(', ')}.`)
  .meta({ enum: [...providerCodes] })

/** Words that stand in paths where the id does. */
const reserved = new Set(['jwt', 'session', 'social-apps', 'login'])

const providerId = z
  .string()
  .trim()
  .regex(/^(?:[A-Za-z0-9_][\w.-]{0,99})?$/, 'An id has up to 100 letters, digits, hyphens, underscores and dots.')
  .refine((name) => !reserved.has(name.toLowerCase()), 'This id is reserved.')
  .meta({ description: 'Required for `openid_connect` and `saml`. Of other providers it is the empty string, whatever is sent.' })

/** Any address that a browser can be sent to; which ones may be asked, the service says. */
const address = z
  .url({ protocol: /^https?$/, error: 'An address is required, as https://id.example.com/.well-known/openid-configuration.' })
  .max(2000)

/** It goes into the page as the address of a picture, and its host into the page's policy. */
const icon = z
  .string()
  .max(2000)
  .refine(
    (text) => /^[a-z0-9-]{0,40}$/.test(text) || isPicture(text),
    'An icon is an https address, or a name of lower-case letters, digits and hyphens.',
  )

function isPicture(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return protocol === 'https:' && !username && !password && /^[a-z0-9.-]+$/.test(hostname)
}

const settings = z.strictObject({
  server_url: address
    .optional()
    .meta({ description: 'Required for `openid_connect`: the discovery document. Of other providers a self-hosted instance.' }),
  icon: icon.optional().meta({ description: 'An https address, or the name of an icon; the providers have one each.' }),
  auto_redirect: z.boolean().optional().meta({ description: 'Whether the login page leads straight to this provider.' }),
  scope: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'A scope has no spaces, quotes and backslashes.'))
    .max(50)
    .optional()
    .meta({ description: "What is asked for in the place of the provider's usual scopes." }),
  token_endpoint_auth_method: z
    .enum(['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'])
    .optional()
    .describe('How the client shows its secret at the token endpoint. Omitted: as the discovery document says.'),
  trust_email: z.boolean().optional().meta({
    description: 'Whether an e-mail is taken as verified where the provider does not say so: whoever it names then gets the account of that e-mail.',
  }),
})
export type Settings = z.infer<typeof settings>

const name = z.string().trim().min(1).max(100)
const clientId = z.string().trim().min(1).max(500)
const secret = z.string().min(1).max(10_000)
const key = z.string().max(10_000)

export const socialAppsQuery = listQuery(list, { provider: z.string().optional().describe('The code of a provider.') })
export type SocialAppsQuery = z.infer<typeof socialAppsQuery>

const shownIn = {
  id: id.describe('The id of the social app.'),
  provider: z.string().describe('The code of the provider.'),
  provider_id: z.string().describe('The name that stands in paths, of `openid_connect` and `saml`; else empty.'),
  name: z.string().describe('The name for people.'),
  provider_display: z.string().meta({ description: 'What people call the provider.' }),
  is_configured: z.boolean().meta({ description: 'Whether people can sign in with it.' }),
}

const listedSocialApp = z
  .object({
    ...shownIn,
    icon: z.string().describe('An https address, or the name of an icon.'),
    auto_redirect: z.boolean().describe('Whether the login page leads straight to this provider.'),
  })
  .meta({ id: 'ListedSocialApp', description: 'A provider to sign in with.' })
export type ListedSocialApp = z.infer<typeof listedSocialApp>

export const socialApp = z
  .object({
    ...shownIn,
    client_id: z.string().describe('The client id that the provider gave.'),
    secret: z.string().meta({ description: `\`${mask}\`, but in the answer to what creates it.` }),
    key: z.string().describe('A further key that some providers give.'),
    settings: settings
      .extend({
        icon: z.string().describe('An https address, or the name of an icon.'),
        auto_redirect: z.boolean().describe('Whether the login page leads straight to this provider.'),
      })
      .describe('Settings of the sign-in.'),
  })
  .meta({ id: 'SocialApp', description: 'A provider to sign in with, as it is managed.' })
export type SocialApp = z.infer<typeof socialApp>

export const socialAppInput = returnable(
  {
    provider,
    provider_id: providerId.default(''),
    name,
    client_id: clientId,
    secret: secret
      .refine((text) => text !== mask, 'This is no secret, but what stands in the place of one.')
      .describe('The client secret that the provider gave.'),
    key: key.default(''),
    settings: settings.default({}),
  },
  socialApp,
)
export type SocialAppInput = z.infer<typeof socialAppInput>

/** What is omitted stays; `settings` are replaced as a whole. */
export const socialAppChange = returnable(
  {
    provider: provider.optional(),
    provider_id: providerId.optional(),
    name: name.optional(),
    client_id: clientId.optional(),
    secret: secret.optional().meta({ description: `\`${mask}\` keeps the stored one.` }),
    key: key.optional().meta({ description: `\`${mask}\` keeps the stored one.` }),
    settings: settings.optional(),
  },
  socialApp,
)
export type SocialAppChange = z.infer<typeof socialAppChange>

const success = { success: z.literal(true).describe('The request succeeded.'), message: z.string().describe('What was done, in a sentence.') }

export const socialAppsPage = z.object({
  ...success,
  data: z.array(listedSocialApp).describe('The page.'),
  total: count.describe('How many there are on all pages.'),
  page: z.int().min(1).describe('The number of the page, counted from 1.'),
  page_size: z.int().min(1).describe('How many a page has at most.'),
  total_pages: z.int().min(1).describe('How many pages there are.'),
})
export type SocialAppsPage = z.infer<typeof socialAppsPage>

export const socialAppSaved = z.object({ ...success, data: socialApp.describe('The social app.') })
export type SocialAppSaved = z.infer<typeof socialAppSaved>

export const socialAppDeleted = z.object(success)
export type SocialAppDeleted = z.infer<typeof socialAppDeleted>

export const deleteBlocked = z.object({
  success: z.literal(false).describe('The request failed.'),
  message: z.string().describe('What failed.'),
  suggestion: z.string().describe('What can be done in its place.'),
  active_users: z.int().min(1).describe('How many accounts sign in with it.'),
})
