/** Names the device of a client by its User-Agent header. */

/**
 * Programs by a pattern of the header. The most specific pattern comes first, because many browsers also name
 * others.
 */
const programs: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^node\b/i, 'Node'],
  [/^python/i, 'Python'],
  [/^okhttp\//, 'OkHttp'],
]

/** Operating systems. */
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPad\b/, 'iPad'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (rows: readonly [pattern: RegExp, name: string][], text: string): string | undefined =>
  rows.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Returns a name such as `Firefox on Linux`, which consists of fixed words only, because clients can send any
 * header. Null if it names neither a known program nor a known system.
 */
export function deviceOf(userAgent: string | null): string | null {
  const text = userAgent?.slice(0, 500) ?? ''
  const [program, system] = [nameIn(programs, text), nameIn(systems, text)]
  if (program && system) return `${program} on ${system}`
  return program ?? system ?? null
}

/** Returns the country that Cloudflare names: two letters, or null if it is unknown. */
export const countryOf = (header: string | null): string | null =>
  header !== null && /^[A-Z][A-Z0-9]$/.test(header) && header !== 'XX' ? header : null
