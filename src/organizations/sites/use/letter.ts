/**
 * The letter about a soft limit that a site has reached, in English and German: accounts have no language.
 */
import { singleLine } from '../../../lib/single-line.ts'
import type { EmailContent } from '../../../mail/service.ts'
import type { Measure } from './schema.ts'

/** What the letter says. */
interface ReachedSoftLimit {
  site: string
  organization: string
  measure: Measure
  /** As `2026-11`. */
  month: string
  soft: number
  used: number
  /** Null: there is none. */
  hard: number | null
  url: string
}

/** What is counted, in both languages. */
const words: Readonly<Record<Measure, readonly [english: string, german: string]>> = {
  requests: ['requests', 'Anfragen'],
  invocations: ['runs of functions', 'Läufe von Funktionen'],
  emails: ['e-mails', 'E-Mails'],
  records: ['records', 'Datensätze'],
  bytes: ['bytes', 'Bytes'],
}

/** Tells somebody who manages a site that its use has reached a soft limit. */
export function softLimitReached(reached: ReachedSoftLimit): EmailContent {
  const { measure, month, soft, used, hard, url } = reached
  const [site, organization] = [singleLine(reached.site), singleLine(reached.organization)]
  const [english, german] = words[measure]
  const inEnglish = (count: number) => `${count.toLocaleString('en')} ${english}`
  const inGerman = (count: number) => `${count.toLocaleString('de')} ${german}`
  const isOfMonth = measure !== 'records' && measure !== 'bytes'
  return {
    subject: `${site}: ${inEnglish(soft)} reached / ${inGerman(soft)} erreicht`,
    paragraphs: [
      'Hello,',
      `The site ${site} of ${organization} has ${isOfMonth ? 'used' : 'stored'} ${inEnglish(used)}` +
        `${isOfMonth ? ` in ${month}` : ''}. This is a soft limit: it is set to ${inEnglish(soft)}, and ` +
        'nothing is refused.',
      hard === null
        ? 'There is no hard limit.'
        : `From ${inEnglish(hard)} on, requests that need more are refused.`,
      'Guten Tag,',
      `die Website ${site} von ${organization} hat ${isOfMonth ? `im Monat ${month} ` : ''}` +
        `${inGerman(used)} ${isOfMonth ? 'verbraucht' : 'gespeichert'}. Das ist ein weiches Limit: Es ` +
        `liegt bei ${inGerman(soft)}, und nichts wird abgelehnt.`,
      hard === null
        ? 'Ein hartes Limit gibt es nicht.'
        : `Ab ${inGerman(hard)} werden Anfragen abgelehnt, die mehr brauchen.`,
    ],
    action: { label: 'Open the console / Konsole öffnen', url },
    footer:
      'We send this e-mail once a month for each limit, to everybody who manages the site. / Diese E-Mail ' +
      'geht einmal im Monat für jedes Limit an alle, die die Website verwalten.',
  }
}
