/** A QR code, drawn as SVG: it needs neither a script nor another request. */
import { encode } from 'uqr'

/** The light border that readers need around the code, in modules (ISO/IEC 18004). */
const quietZone = 4

/** Draws the code of a text of up to about 2,000 bytes. It is black on white also on dark pages. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={modules.join('')} fill="#000000" shape-rendering="crispEdges" />
    </svg>
  )
}
