/** Recognizes raster images by their bytes (PNG, JPEG and WebP), and reads their sizes. Decodes nothing. */

/** The type and the size of an image. */
export interface RasterImage {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  /** The width in pixels. */
  width: number
  height: number
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

/** Returns the type and the size of an image from its bytes. Undefined for everything else, including SVG. */
export function rasterImage(bytes: Uint8Array): RasterImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return png(bytes, view) ?? jpeg(view) ?? webp(bytes, view)
  } catch (error) {
    // The image ends before its size.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function png(bytes: Uint8Array, view: DataView): RasterImage | undefined {
  if (textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(bytes, 12, 4) !== 'IHDR') return undefined
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

/**
 * Tells whether a marker begins a frame: SOF0 to SOF15, except the markers between them with another meaning.
 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpeg(view: DataView): RasterImage | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2))
    if (isFrame(view.getUint8(at + 1)))
      return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
  return undefined
}

function webp(bytes: Uint8Array, view: DataView): RasterImage | undefined {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return undefined
  const type = 'image/webp'
  const uint24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X':
      return { type, width: uint24(24) + 1, height: uint24(27) + 1 }
    case 'VP8L': {
      const packed = view.getUint32(21, true)
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}
