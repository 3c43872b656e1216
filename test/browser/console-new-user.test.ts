/**
 * The first steps of a new user in the console, with clicks and keys alone: from no app to a chart.
 * docs/guide/console.md.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

/** The time that a person needs to read a page and to find the next element on it. */
const readingSeconds = 6
/** The maximum time for all steps. */
const secondsMax = 300

const plants = 'name,bed,height\nSage,north,40\nMint,north,30\nRose,south,120\n'
const file = { name: 'plants.csv', mimeType: 'text/csv', buffer: Buffer.from(plants) }

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
})

afterAll(async () => {
  await stack?.stop()
})

/** One click, one text, one choice; or a text that is read before the next step. */
type Step = (page: Page) => Promise<unknown>

const press =
  (name: string | RegExp, role: 'button' | 'link' | 'tab' = 'button'): Step =>
  (page) =>
    page.getByRole(role, { name, exact: typeof name === 'string' }).click()

const goTo =
  (name: string): Step =>
  (page) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

const read =
  (text: string): Step =>
  (page) =>
    page.getByText(text).first().waitFor()

const choose =
  (label: string, name: string): Step =>
  async (page) => {
    await page.getByRole('combobox', { name: label }).first().click()
    await page.getByRole('option', { name, exact: true }).click()
  }

/** Adds a field to the form of a table, and sets its name and type. */
const addField = (before: number, name: string, type: string): Step[] => [
  press('Add a field'),
  async (page) => {
    const added = page.getByRole('region', { name: `field_${before + 1}`, exact: true })
    await added.getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
  },
  (page) => page.getByRole('region', { name, exact: true }).getByLabel('Type').selectOption(type),
]

const steps: readonly Step[] = [
  // A table of the user's own.
  goTo('Schema'),
  (page) => page.getByRole('region', { name: 'New app' }).getByLabel('Name').fill('Garden'),
  (page) => page.getByRole('region', { name: 'New app' }).getByRole('button', { name: 'Create' }).click(),
  press('New table', 'tab'),
  (page) => page.getByLabel('Name of the table').fill('plants'),
  ...addField(1, 'name', 'string'),
  ...addField(2, 'bed', 'string'),
  ...addField(3, 'height', 'integer'),
  press('Show the plan'),
  read('Create table plants'),
  press('Apply the change'),
  // Its records, from a file.
  press('Records', 'link'),
  press('Import', 'link'),
  (page) => page.locator('input[type=file]').setInputFiles(file),
  press('Check the file'),
  press('Import 3 rows'),
  read('3 rows were imported.'),
  // A rule, and the view of a guest.
  goTo('Access rules'),
  choose('App', 'Garden'),
  press('Add filter'),
  (page) => page.getByRole('dialog', { name: 'Add filter' }).getByLabel('Field').selectOption('bed'),
  (page) => page.getByRole('dialog', { name: 'Add filter' }).getByLabel('Condition').selectOption(''),
  (page) => page.getByRole('dialog', { name: 'Add filter' }).getByLabel('Value').fill('north'),
  press('Apply'),
  press('Add to the rules below'),
  press('Save the rules'),
  read('The rules are saved.'),
  (page) => page.getByRole('region', { name: 'See as' }).getByRole('button', { name: 'See plants' }).click(),
  read('You see what a guest without an account sees'),
  read('2 records'),
  press('See as yourself again'),
  // A chart.
  goTo('Questions'),
  choose('App', 'Garden'),
  choose('For each', 'bed'),
  (page) => page.getByRole('img', { name: 'Chart: plants' }).waitFor(),
  (page) => page.getByRole('row', { name: 'north 2' }).waitFor(),
]

it('a new user makes a table, records, a rule, a view as guest and a chart within five minutes, including reading', async () => {
  const page = await stack.open('demo/')
  const began = performance.now()
  for (const step of steps) await step(page)
  const seconds = (performance.now() - began) / 1000 + steps.length * readingSeconds
  console.log(`A new user: ${steps.length} steps, ${Math.round(seconds)} s with the time to read.`)
  expect(seconds).toBeLessThanOrEqual(secondsMax)
  expect(stack.browser.complaints()).toEqual([])
})
