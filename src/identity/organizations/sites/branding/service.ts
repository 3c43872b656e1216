/** The logo and the colours of a site's pages, as files for browsers. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { wakeMs } from '../../../../kernel/db/breaker.ts'
import { found } from '../../../../kernel/errors.ts'
import { contrast, textContrast, textOn } from '../../../../kernel/lib/contrast.ts'
import * as store from './store.ts'

/** Reads the logo of the request's site. Throws 404. */
export async function readLogoFile(ctx: RequestContext, hash: string) {
  const { logo } = await ctx.database.batch({ logo: store.selectLogo(ctx.tenant, hash) }, wakeMs)
  const { type, bytes } = found(logo.first)
  return { type, bytes: Buffer.from(bytes, 'base64') }
}

/** The backgrounds of text and the default colours of links on them, as in src/operation/assets/page.css. */
const schemes = [
  { grounds: ['#ffffff', '#f5f5f4'], link: '#0f766e' },
  { grounds: ['#231f1d', '#171412'], link: '#2dd4bf' },
]

/**
 * Returns the styles for a colour. The text of buttons is white or black, so that its contrast meets WCAG AA.
 * Links have the colour only if they are readable on the page.
 */
export function stylesFor(color: string): string {
  const links = schemes.map(({ grounds, link }) =>
    grounds.every((ground) => contrast(color, ground) >= textContrast) ? color : link,
  )
  return [
    ':root {',
    `  --accent: ${color};`,
    `  --on-accent: ${textOn(color)};`,
    `  --link: light-dark(${links.join(', ')});`,
    '}',
    'button,',
    '.button.main {',
    '  border-color: var(--line);',
    '}',
    '',
  ].join('\n')
}
