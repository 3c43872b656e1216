/** The branding of a site, in answers and in changes. */
import * as z from 'zod'

/** The most bytes of a logo. */
export const logoBytesMax = 100_000
/** The most pixels of each side of a logo. */
export const logoSideMax = 2000

const name = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^\P{C}*$/u, 'A name must not contain control characters.')
  .nullable()
  .describe('The name that pages and e-mails show. Null: none.')
const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A color is required, for example #0f766e.')
  .transform((text) => text.toLowerCase())
  .nullable()
  .describe(
    'The color of buttons. Their text is white or black, whichever is readable. Null: the default ' +
      'color.',
  )

/** The branding of a site in an answer. */
export const branding = z
  .object({
    name: z.string().nullable().describe('The name that pages and e-mails show. Null: none.'),
    logo: z.string().nullable().describe('The path of the logo. Null: there is none.'),
    color: z
      .string()
      .nullable()
      .describe('The color of buttons, such as `#0f766e`. Null: the default ' + 'color.'),
  })
  .describe("The branding of the site's pages.")

/** A change of the branding. Omitted members stay unchanged. */
export const brandingChange = z.strictObject({
  name: name.optional(),
  logo: z
    .string()
    .max(Math.ceil((logoBytesMax * 4) / 3) + 100)
    .nullable()
    .optional()
    .describe(
      `The logo as a \`data:\` URL: PNG, JPEG or WebP in base64, of ${logoBytesMax / 1000} kB and ` +
        `${logoSideMax} pixels a side at most. The path of the present logo leaves it. Null: none.`,
    ),
  color: color.optional(),
})
