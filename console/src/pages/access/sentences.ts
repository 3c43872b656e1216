/** Writes rules as sentences. */
import { useTexts } from '../../texts/define.ts'
import type { Rule } from './queries.ts'
import { accessTexts } from './texts.ts'

/** Returns a function that writes a kind of caller for people. */
export function useWho(): (who: string) => string {
  const texts = useTexts(accessTexts)
  return (who) => {
    const [kind, name = ''] = who.split(/:(.*)/s)
    if (kind === 'group') return texts.group(name)
    if (kind === 'permission') return texts.permission(name)
    if (kind === 'role') return texts.role(name)
    return texts.who[who] ?? who
  }
}

/** Returns a function that writes a rule as a sentence: who may do what, with which records. */
export function useSentence(): (rule: Rule) => string {
  const texts = useTexts(accessTexts)
  const who = useWho()
  return (rule) => {
    const can = rule.can.map((action) => texts.can[action] ?? action).join(', ')
    const parts = [
      rule.where ? `${texts.where} ${describe(rule.where)}` : '',
      rule.where || rule.check ? '' : texts.allRecords,
      rule.check ? `${texts.check} ${describe(rule.check)}` : '',
      rule.set ? `${texts.set} ${describe(rule.set)}` : '',
    ]
    return `${[texts.sentence(who(rule.who), can), ...parts.filter(Boolean)].join(' ')}.`
  }
}

/** Writes a filter on one line: `owner_id = user.id and published = true`. */
export function describe(filter: Readonly<Record<string, unknown>>): string {
  return Object.entries(filter)
    .map(([name, value]) => {
      if (name === 'and' || name === 'or')
        return `(${(value as Record<string, unknown>[]).map(describe).join(` ${name} `)})`
      if (name === 'not') return `not (${describe(value as Record<string, unknown>)})`
      return `${name} = ${valueText(value)}`
    })
    .join(' and ')
}

const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null && '$' in value ? String(value.$) : JSON.stringify(value)
