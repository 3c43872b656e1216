/** The graph of a table in the console, as a tree and as a picture. docs/guide/console.md. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

const staff = '/sites/demo/api/apps/staff/datatables/'
const people = ['Ada', 'Bram', 'Chioma', 'Dario', 'Elif', 'Femi', 'Gesa']
const picture = 'demo/graph/?app=staff&table=people&view=picture'

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
  const { client } = stack.service
  await client.request('POST', '/sites/demo/api/apps/', { name: 'Staff' })
  const schema = {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
    ],
    hierarchy: true,
    graph: {
      enabled: true,
      types: [
        { name: 'manager', inverse: 'reports', constraints: { max_outgoing: 1 } },
        { name: 'mentor', inverse: 'mentees' },
      ],
    },
  }
  await client.request('POST', `${staff}create_schema/?materialize=true`, {
    resources: [{ name: 'people', schema }],
  })
  await client.request(
    'POST',
    `${staff}people/data/`,
    people.map((name) => ({ name })),
  )
  // Ada leads Bram and Chioma, Bram leads Dario, Dario leads Elif. Chioma mentors Dario. Gesa has no edges.
  await client.request('POST', `${staff}people/edges/`, [
    { from_id: 2, to_id: 1, type: 'manager', metadata: { since: 2024 } },
    { from_id: 3, to_id: 1, type: 'manager' },
    { from_id: 4, to_id: 2, type: 'manager' },
    { from_id: 5, to_id: 4, type: 'manager' },
    { from_id: 6, to_id: 3, type: 'manager' },
    { from_id: 4, to_id: 3, type: 'mentor' },
  ])
})

afterAll(async () => {
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

const edgesOf = async (query: string) =>
  (await stack.service.client.request<{ results: object[] }>('GET', `${staff}people/edges/?${query}`)).results

const canvasOf = (page: Page) => page.getByRole('application', { name: 'Picture of people' })

/** Opens a picture, and waits until every record has its position. */
async function openPicture(address: string, options?: Parameters<ConsoleStack['open']>[1]) {
  const page = await stack.open(address, options)
  page.setDefaultTimeout(10_000)
  await page.locator('canvas[data-placed=true]:not([data-records="0"])').waitFor()
  return page
}

/** Returns the position of a record on the screen. Its edges in the panel select it first. */
async function placeOf(page: Page, choose: Locator) {
  await choose.click()
  const box = await page.locator('[data-ring]').boundingBox()
  if (!box) throw new Error('The record is not on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

describe('the tree of a hierarchy', () => {
  it('is used by keyboard, and links to the record', async () => {
    const page = await stack.open('demo/graph/?app=staff')
    const tree = page.getByRole('tree', { name: 'Tree of people' })
    await tree.focus()
    await tree.press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'Chioma' }).waitFor()
    await tree.press('ArrowRight')
    await tree.press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'Dario' }).waitFor()
    expect(await tree.getByRole('treeitem', { name: 'Bram' }).getAttribute('aria-expanded')).toBe('true')
    expect(await tree.getByRole('treeitem', { name: 'Dario' }).getAttribute('aria-level')).toBe('3')
    await tree.press('ArrowLeft')
    await tree.getByRole('treeitem', { name: 'Dario' }).waitFor({ state: 'detached' })
    await tree.press('ArrowLeft')
    expect(await tree.getAttribute('aria-activedescendant')).toBe('branch-0')
    await tree.press('Enter')
    await page.getByRole('heading', { name: 'people 1' }).waitFor()
  })
})

describe('the picture of a graph', () => {
  it('starts with one record, and grows by a click and by a double click', async () => {
    const page = await openPicture(`${picture}&from=1`)
    await page.getByText('3 records, 2 edges').waitFor()
    const { x, y } = await placeOf(page, page.getByRole('button', { name: 'reports ← Bram', exact: true }))
    await page.getByRole('button', { name: 'Expand' }).click()
    await page.getByText('4 records, 3 edges').waitFor()
    await page.locator('canvas[data-placed=true][data-records="4"]').waitFor()
    const dario = await placeOf(page, page.getByRole('button', { name: 'reports ← Dario', exact: true }))
    await page.mouse.dblclick(dario.x, dario.y)
    await page.getByText('5 records, 5 edges').waitFor()
    expect({ x, y }).not.toEqual(dario)
  })

  it('shows the selected types of edges, and the URL contains the selection', async () => {
    const page = await openPicture(`${picture}&whole=true`)
    await page.getByText('7 records, 6 edges').waitFor()
    await page.getByLabel('manager').uncheck()
    await page.getByText('7 records, 1 edge').waitFor()
    expect(new URL(page.url()).searchParams.get('types')).toBe('mentor')
  })

  it('a line between two records creates an edge, and an error appears in the form', async () => {
    const page = await openPicture(`${picture}&whole=true`)
    const canvas = canvasOf(page)
    await canvas.focus()
    await canvas.press('ArrowRight')
    // The form moves to the records of the line, so that their positions are known.
    const find = async (name: string) => {
      await page.getByRole('combobox', { name: 'Start from the record' }).fill(name)
      await page.getByRole('option', { name }).click()
      await page.locator('canvas[data-placed=true]:not([data-records="7"])').waitFor()
    }
    await find('Ada')
    const ada = await placeOf(page, page.getByRole('button', { name: 'reports ← Chioma', exact: true })).then(
      () => placeOf(page, page.getByRole('button', { name: 'manager → Ada', exact: true })),
    )
    const bram = await placeOf(page, page.getByRole('button', { name: 'reports ← Bram', exact: true }))
    await page.mouse.move(ada.x, ada.y)
    await page.mouse.down()
    await page.mouse.move((ada.x + bram.x) / 2, (ada.y + bram.y) / 2)
    await page.mouse.move(bram.x, bram.y, { steps: 4 })
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'New edge' })
    await dialog.getByText('The manager of 1 is 2.').waitFor()
    await dialog.getByRole('button', { name: 'Create the edge' }).click()
    await dialog.getByRole('alert').getByText('Edges form a cycle').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    await stack.browser.shoot(page, 'console-graph-refusal')
    await dialog.getByRole('button', { name: 'Turn around' }).click()
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await dialog.getByRole('option', { name: 'mentor' }).click()
    const metadata = dialog.getByRole('textbox', { name: 'Metadata' })
    await metadata.fill('{"since": }')
    await dialog.getByText('This is not a JSON object.').waitFor()
    await metadata.press('Control+Enter')
    expect(await edgesOf('from_id=2&types=mentor')).toEqual([])
    await metadata.fill('{"since": 2026}')
    await metadata.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('3 records, 3 edges').waitFor()
    expect(await edgesOf('from_id=2&types=mentor')).toMatchObject([{ to_id: 1, metadata: { since: 2026 } }])
    stack.browser.complaints()
  })

  it('an edge is dropped, and undo restores it with its metadata', async () => {
    const page = await openPicture(`${picture}&from=2`)
    await page.getByRole('button', { name: 'Drop the edge manager → Ada' }).click()
    await page.getByText('The edge "manager" was dropped.').waitFor()
    expect(await edgesOf('from_id=2&types=manager')).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'manager → Ada', exact: true }).waitFor()
    expect(await edgesOf('from_id=2&types=manager')).toMatchObject([{ to_id: 1, metadata: { since: 2024 } }])
  })

  it('the keyboard alone can select a record, expand it, and create an edge with a form', async () => {
    const page = await openPicture(`${picture}&from=7`)
    await page.getByText('1 record, 0 edges').waitFor()
    await page.getByRole('button', { name: 'New edge' }).first().press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New edge' })
    const to = dialog.getByRole('combobox', { name: 'To' })
    await to.fill('Femi')
    await dialog.getByRole('option', { name: '1 · Ada' }).waitFor({ state: 'detached' })
    await dialog.getByRole('option', { name: '6 · Femi' }).waitFor()
    await to.press('ArrowDown')
    await to.press('Enter')
    await dialog.getByRole('button', { name: 'Create the edge' }).press('Enter')
    await page.getByText('2 records, 1 edge').waitFor()
    await page.locator('canvas[data-placed=true][data-records="2"]').waitFor()
    const canvas = canvasOf(page)
    await canvas.focus()
    const chosen = page.getByRole('region', { name: 'Chosen record' }).getByRole('heading')
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'])
      if ((await chosen.textContent()) === 'Gesa') await canvas.press(key)
    expect(await chosen.textContent()).not.toBe('Gesa')
    await canvas.press('Enter')
    await page.getByText('3 records, 2 edges').waitFor()
  })

  it('finds the shortest path between two records, or says that there is none', async () => {
    const page = await openPicture(`${picture}&from=5`)
    const form = page.getByRole('region', { name: 'Shortest path' })
    const to = form.getByRole('combobox', { name: 'To the record' })
    await to.fill('Femi')
    await page.getByRole('option', { name: '6 · Femi' }).click()
    await form.getByRole('button', { name: 'Find' }).click()
    await form.getByText('3 steps:').waitFor()
    expect(await form.getByRole('listitem').allTextContents()).toEqual([
      'Elif manager →',
      'Dario mentor →',
      'Chioma ← manager',
      'Femi ',
    ])
    await form.getByLabel('Only in the direction of the arrows').check()
    await form.getByRole('button', { name: 'Find' }).click()
    await form.getByText('There is no path between the two records.').waitFor()
    await stack.browser.shoot(page, 'console-graph-path')
  })
})
