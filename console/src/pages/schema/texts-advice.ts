/** The texts of advice about indexes. */
import { defineTexts } from '../../texts/define.ts'

/** The texts of advice about indexes. */
export const adviceTexts = defineTexts({
  en: {
    title: 'Indexes that would make slow lists fast',
    lists: (count: number, ms: number) =>
      `${count === 1 ? '1 slow list' : `${count} slow lists`} in the last week, up to ${ms} ms`,
    plan: (fields: string) => `Plan the index on ${fields}`,
  },
  de: {
    title: 'Indizes, die langsame Listen schnell machen würden',
    lists: (count: number, ms: number) =>
      `${count === 1 ? '1 langsame Liste' : `${count} langsame Listen`} in der letzten Woche, bis ${ms} ms`,
    plan: (fields: string) => `Index auf ${fields} planen`,
  },
})
