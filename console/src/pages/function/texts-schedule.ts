/** The texts of schedules in words. This module needs no browser, so that a test in Node can load it. */

/** The texts that describe a schedule. */
export interface ScheduleTexts {
  noZone: string
  never: string
  everyMinutes(count: number): string
  hourly: string
  atMinutes(minutes: string): string
  atTimes(times: string): string
  inHours(minutes: string, hours: string): string
  daily: string
  or: string
  onWeekdays(days: string): string
  onDays(days: string): string
  inMonths(months: string): string
  next(times: string): string
}

/** The texts of schedules in words. */
export const scheduleTexts: Readonly<Record<'en' | 'de', ScheduleTexts>> = {
  en: {
    noZone: 'There is no time zone with this name. Write one such as Europe/Berlin.',
    never: 'There is no such day.',
    everyMinutes: (count: number) => (count === 1 ? 'Every minute' : `Every ${count} minutes`),
    hourly: 'Every hour, on the hour',
    atMinutes: (minutes: string) => `Every hour at minute ${minutes}`,
    atTimes: (times: string) => `At ${times}`,
    inHours: (minutes: string, hours: string) => `At minute ${minutes} of the hours ${hours}`,
    daily: 'every day',
    or: ' or ',
    onWeekdays: (days: string) => `on ${days}`,
    onDays: (days: string) => `on day ${days} of the month`,
    inMonths: (months: string) => `in ${months}`,
    next: (times: string) => `Next runs: ${times}`,
  },
  de: {
    noZone: 'Eine Zeitzone mit diesem Namen gibt es nicht. Schreiben Sie zum Beispiel Europe/Berlin.',
    never: 'Einen solchen Tag gibt es nicht.',
    everyMinutes: (count: number) => (count === 1 ? 'Jede Minute' : `Alle ${count} Minuten`),
    hourly: 'Jede volle Stunde',
    atMinutes: (minutes: string) => `Jede Stunde zur Minute ${minutes}`,
    atTimes: (times: string) => `Um ${times}`,
    inHours: (minutes: string, hours: string) => `Zur Minute ${minutes} der Stunden ${hours}`,
    daily: 'jeden Tag',
    or: ' oder ',
    onWeekdays: (days: string) => `am ${days}`,
    onDays: (days: string) => `am Tag ${days} des Monats`,
    inMonths: (months: string) => `im ${months}`,
    next: (times: string) => `Nächste Läufe: ${times}`,
  },
}
