/** The settings of a SAML provider, as part of its social app. */
import * as z from 'zod'

/** The most characters of a metadata document. */
const metadataLengthMax = 100_000

const attributeName = z.string().trim().min(1).max(300)

/** The members of `settings.saml`. */
export const samlSettings = z
  .strictObject({
    metadata_url: z
      .url({ protocol: /^https?$/, error: 'Must be an address such as https://id.example.com/metadata.' })
      .max(2000)
      .optional()
      .meta({
        description:
          "The address of the provider's metadata. The service reads it every ten minutes, " +
          'to learn new certificates.',
      }),
    metadata: z
      .string()
      .max(metadataLengthMax)
      .optional()
      .meta({ description: "The provider's metadata as XML, instead of `metadata_url`." }),
    attributes: z
      .strictObject({
        subject: attributeName
          .optional()
          .describe('A permanent and unique identifier of the person. Default: the `NameID`.'),
        email: attributeName
          .optional()
          .describe('Default: one of the usual names, or the `NameID` if it is an e-mail address.'),
        first_name: attributeName.optional().describe('Default: one of the usual names.'),
        last_name: attributeName.optional().describe('Default: one of the usual names.'),
        username: attributeName.optional().describe('Default: one of the usual names.'),
      })
      .optional()
      .describe('The names of the attributes that describe a person.'),
    idp_initiated: z
      .boolean()
      .optional()
      .meta({ description: 'True if a sign-in may start at the provider. Default: false.' }),
    sign_requests: z
      .boolean()
      .optional()
      .meta({
        description:
          "True if requests are signed. The app's `secret` is then the private key (PKCS #8, PEM), " +
          'and its `key` the certificate (PEM) that the metadata of the site shows. Default: false.',
      }),
    request_binding: z.enum(['redirect', 'post']).optional().meta({
      description:
        'How requests are sent. Default: `redirect`, unless the metadata of the provider has only `post`.',
    }),
  })
  .meta({ description: 'The settings of a `saml` provider. Other providers have none.' })
export type SamlSettings = z.infer<typeof samlSettings>
