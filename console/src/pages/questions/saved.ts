/** Questions and dashboards that this browser keeps for an account. The API has no place for them. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../../session/queries.ts'
import { readKept, writeKept } from '../../shared/kept.ts'
import type { Question } from './question.ts'

/** A question with its name. */
export interface SavedQuestion {
  name: string
  question: Question
}

/** Several questions on one page. */
export interface Dashboard {
  name: string
  questions: SavedQuestion[]
}

/** The longest name of a question or a dashboard. */
export const nameLengthMax = 80

const members = ['app', 'table', 'measure', 'of', 'by', 'bucket'] as const

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a stored question or one from an address; undefined if it is invalid. */
function questionOf(value: unknown): SavedQuestion | undefined {
  if (!isObject(value) || typeof value.name !== 'string' || !isObject(value.question)) return undefined
  const { question } = value
  if (typeof question.app !== 'string' || typeof question.table !== 'string') return undefined
  const known = members.flatMap((member) =>
    typeof question[member] === 'string' ? [[member, question[member]]] : [],
  )
  return { name: value.name, question: Object.fromEntries(known) as Question }
}

const questionsOf = (value: unknown): SavedQuestion[] =>
  Array.isArray(value) ? value.flatMap((one) => questionOf(one) ?? []) : []

/** Parses a stored dashboard or one from an address; undefined if it is invalid. */
export function dashboardOf(value: unknown): Dashboard | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined
  return { name: value.name, questions: questionsOf(value.questions) }
}

/** The value stored under a name for the account and the site, and a function to replace it. */
function useKept<Item>(
  kind: string,
  site: string,
  read: (value: unknown) => Item[],
): [items: Item[], keep: (items: Item[]) => void] {
  const { data: me } = useQuery(meQuery)
  const name = `${kind}:${me?.id}:${site}`
  const [changed, setChanged] = useState<{ name: string; items: Item[] }>()
  const items = changed?.name === name ? changed.items : read(readKept(name))
  const keep = (next: Item[]) => {
    writeKept(name, next)
    setChanged({ name, items: next })
  }
  return [items, keep]
}

/** The questions that were saved for a site. */
export const useSavedQuestions = (site: string) => useKept('questions', site, questionsOf)

/** The dashboards of a site. */
export const useDashboards = (site: string) =>
  useKept('dashboards', site, (value) =>
    Array.isArray(value) ? value.flatMap((one) => dashboardOf(one) ?? []) : [],
  )

/** Adds an item to a list, or replaces the one with the same name. */
export function withNamed<Item extends { name: string }>(items: readonly Item[], item: Item): Item[] {
  const at = items.findIndex(({ name }) => name === item.name)
  return at === -1 ? [...items, item] : items.with(at, item)
}
