/** The formats that are checked: one row each. As the standard requires, other names have no effect. */
import { isUuid } from '../is-uuid.ts'

interface Format {
  /** Tells whether a text has the format. Takes time linear in the text. */
  test(text: string): boolean
  /** A valid text, for messages. */
  example: string
  /** The steps for each character, if the test takes more than a scan of the text. */
  stepsPerCharacter?: number
}

const matching = (pattern: RegExp) => (text: string) => pattern.test(text)

/** The formats by name. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', { test: isDate, example: '2026-01-31' }],
  ['time', { test: isTime, example: '18:30:00Z' }],
  ['date-time', { test: isDateTime, example: '2026-01-31T18:30:00Z' }],
  ['duration', { test: isDuration, example: 'P1DT12H' }],
  ['email', { test: isEmail, example: 'name@example.com' }],
  ['hostname', { test: isHostname, example: 'www.example.com' }],
  ['ipv4', { test: isIpv4, example: '192.0.2.1' }],
  ['ipv6', { test: isIpv6, example: '2001:db8::1' }],
  [
    'uri',
    {
      test: (text) => isUriReference(text) && /^[a-z][a-z0-9+.-]*:/i.test(text),
      example: 'https://example.com/',
    },
  ],
  ['uri-reference', { test: isUriReference, example: '/path?query' }],
  ['uri-template', { test: matching(template()), example: 'https://example.com/{id}' }],
  [
    'uuid',
    {
      test: isUuid,
      example: '123e4567-e89b-12d3-a456-426614174000',
    },
  ],
  ['json-pointer', { test: matching(/^(\/([^~/]|~[01])*)*$/), example: '/a/0' }],
  ['relative-json-pointer', { test: matching(/^(0|[1-9]\d*)(#|(\/([^~/]|~[01])*)*)$/), example: '1/a' }],
  ['regex', { test: isRegex, example: '^[a-z]+$', stepsPerCharacter: 4 }],
])

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= daysOf(month, isLeap)
}

function daysOf(month: number, isLeapYear: boolean): number {
  if (month === 2) return isLeapYear ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const minutesOfDay = 24 * 60

/**
 * Tells whether a text is a time of RFC 3339. A second 60 is only valid as the last second of a day in UTC.
 */
function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (!parts) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1)
  return second < 60 || (hour * 60 + minute - offset + minutesOfDay) % minutesOfDay === minutesOfDay - 1
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.split(/t(.*)/is)
  return isDate(date) && isTime(time)
}

function isDuration(text: string): boolean {
  const time = 'T(\\d+H(\\d+M(\\d+S)?)?|\\d+M(\\d+S)?|\\d+S)'
  return new RegExp(`^P(\\d+W|(\\d+Y(\\d+M(\\d+D)?)?|\\d+M(\\d+D)?|\\d+D)(${time})?|${time})$`).test(text)
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const name = text.slice(0, at)
  const host = text.slice(at + 1)
  if (at < 1 || name.length > 64) return false
  const isName = /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(name)
    ? !/^\.|\.\.|\.$/.test(name)
    : /^"([ !#-[\]-~]|\\[ -~])*"$/.test(name)
  const address = /^\[(?:(ipv6:)(.*)|(.*))\]$/i.exec(host)
  if (!address) return isName && isHostname(host)
  return isName && (address[1] ? isIpv6(address[2] ?? '') : isIpv4(address[3] ?? ''))
}

/** Tells whether a text is a host name of RFC 1123. Labels in Punycode are not decoded. */
function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every(matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i))
}

function isIpv4(text: string): boolean {
  return /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/.test(text)
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const hasIpv4 = last.includes('.') && !text.endsWith(':')
  if (hasIpv4 && !isIpv4(last)) return false
  const count = groups.length + (hasIpv4 ? 1 : 0)
  return (
    groups.slice(0, hasIpv4 ? -1 : undefined).every(matching(/^[0-9a-f]{1,4}$/i)) &&
    (halves.length === 2 ? count <= 7 : count === 8)
  )
}

/** Tells whether a text is a URI reference of RFC 3986. */
function isUriReference(text: string): boolean {
  const parts = /^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)
  if (!parts) return false
  const [, scheme, authority, path = '', query = '', fragment = ''] = parts
  const consistsOf = (characters: string, part: string) =>
    new RegExp(`^([\\w.~!$&'()*+,;=${characters}-]|%[0-9a-f]{2})*$`, 'i').test(part)
  if (scheme !== undefined && !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false
  if (authority !== undefined) {
    const [, user = '', host = ''] = /^(?:(.*)@)?(.*?)(?::\d*)?$/.exec(authority) ?? []
    const literal = /^\[(.*)\]$/.exec(host)?.[1]
    const isHost =
      literal === undefined
        ? consistsOf('', host)
        : isIpv6(literal) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal)
    if (!isHost || !consistsOf(':', user)) return false
  }
  return consistsOf(':@/', path) && consistsOf(':@/?', query) && consistsOf(':@/?', fragment)
}

/** Matches a URI template of RFC 6570. */
function template(): RegExp {
  const encoded = '%[0-9a-f]{2}'
  const name = `(\\w|${encoded})+(\\.(\\w|${encoded})+)*`
  const variable = `${name}(:[1-9]\\d{0,3}|\\*)?`
  return new RegExp(
    `^([^\\x00-\\x20"<>%\\\\^\`{|}\\x7f]|${encoded}|\\{[+#./;?&=,!@|]?${variable}(,${variable})*\\})*$`,
    'i',
  )
}

function isRegex(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'))
  } catch {
    return false
  }
}
