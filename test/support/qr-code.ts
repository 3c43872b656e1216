/** Reads the QR code of a page, like the camera of a phone. */
import jsQr from 'jsqr'

const scale = 4

/** Returns the text of the QR code in the SVG of a page. Returns undefined if it is illegible. */
export function textOfQrCode(html: string): string | undefined {
  const size = Number(/<svg class="qr" viewBox="0 0 (\d+) \1"/.exec(html)?.[1])
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4
      for (let column = 0; column < scale; column++)
        pixels.fill(0, start + column * 4, start + column * 4 + 3)
    }
  return jsQr(pixels, width, width)?.data
}
