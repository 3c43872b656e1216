/**
 * PostgREST and the service give equal responses to the questions of the page, and their writes are equal.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Both, startBoth } from './both.ts'
import { comparedOurs, comparedTheirs, keysOf, withoutIds } from './equality.ts'
import { page, questionsOf } from './page.ts'

let both: Both

beforeAll(async () => {
  both = await startBoth(page)
})
afterAll(() => both?.stop())

const questions = questionsOf(page)
const cases = questions.map((question) => ({
  ...question,
  asked: `${question.theirs.method} ${decodeURIComponent(question.theirs.path)}`,
}))

it('the page has its questions in the order of their numbers', () => {
  const numbers = [...new Set(questions.map(({ number }) => number))].sort((a, b) => a - b)
  // The compared version does not support question 23, as the page says.
  expect(numbers).toEqual(
    Array.from({ length: numbers.length + 1 }, (_, index) => index + 1).filter((n) => n !== 23),
  )
  expect(numbers.length).toBeGreaterThanOrEqual(110)
})

it.each(cases)('$number: $asked', async (question) => {
  if (question.kind === 'Write') await both.plant()
  const theirs = comparedTheirs(question, await both.theirs(question.theirs))
  const ours = comparedOurs(question, await both.ours(question.ours), theirs)
  if (question.kind === 'Query') expect(keysOf(ours)).toEqual(keysOf(theirs))
  else if (question.ours.path.includes('dry_run=true')) expect(withoutIds(ours)).toEqual(withoutIds(theirs))
  else expect(ours).toEqual(theirs)
  if (question.kind === 'Write') {
    const trees = await both.trees()
    expect(trees.ours).toEqual(trees.theirs)
  }
})
