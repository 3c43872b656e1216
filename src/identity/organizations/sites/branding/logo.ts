/** Reads the logo in a change of a site. */

import { invalidFields } from '../../../../kernel/errors.ts'
import { asBytes } from '../../../../kernel/lib/cipher.ts'
import { rasterImage } from '../../../../kernel/lib/raster-image.ts'
import { sha256 } from '../../../../kernel/lib/sha256.ts'
import { logoBytesMax, logoSideMax } from './schema.ts'

/** A logo that is to be stored. */
export interface NewLogo {
  hash: string
  type: string
  /** In base64. */
  bytes: string
}

const dataUrl = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/]+={0,2})$/
const ownPath = /^(?:\/sites\/[a-z0-9-]+)?\/accounts\/logo\/[0-9a-f]{32}\/$/

const problem = (text: string) => invalidFields({ branding: [`logo: ${text}`] })

/**
 * Returns the logo of a change; null: remove it; undefined: keep the current one. Throws 400 if it is not a
 * raster image of an allowed type and size. So it can contain no scripts, and no address of another host.
 */
export function readLogo(logo: string | null | undefined): NewLogo | null | undefined {
  if (logo === undefined || logo === null) return logo
  if (ownPath.test(logo)) return undefined
  const [, type, bytes] = dataUrl.exec(logo) ?? []
  if (!type || !bytes) throw problem('A data: URL of a PNG, JPEG or WebP image in base64 is required.')
  const decoded = asBytes(bytes)
  if (decoded.length > logoBytesMax)
    throw problem(`The image has ${decoded.length} bytes, and ${logoBytesMax} are possible.`)
  const image = rasterImage(decoded)
  if (image?.type !== type) throw problem(`The image is not ${type}.`)
  if (![image.width, image.height].every((side) => side > 0 && side <= logoSideMax))
    throw problem(
      `The image has ${image.width} × ${image.height} pixels, and ${logoSideMax} a side are possible.`,
    )
  return { hash: sha256(`logo ${type} ${bytes}`).slice(0, 32), type, bytes }
}
