/** The long text of a result is read in parts. The driver gets the result without it. */
import { describe, expect, it } from 'vitest'
import { type LongText, withoutLongText } from '../../../../src/kernel/db/long-text.ts'

const encoder = new TextEncoder()

/** Returns an answer whose bytes come in chunks of a size. */
function answerOf(json: string, chunkBytes = 65_536, options: ResponseInit = {}) {
  const bytes = encoder.encode(json)
  const seen = { sent: 0, isCancelled: false }
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const chunk = bytes.slice(seen.sent, seen.sent + chunkBytes)
      seen.sent += chunk.length
      if (chunk.length > 0) return controller.enqueue(chunk)
      controller.close()
      controller.byobRequest?.respond(0)
    },
    cancel() {
      seen.isCancelled = true
    },
  })
  return { response: new Response(body, options), seen }
}

/** Every sign that JSON escapes, signs of one to four bytes, and what looks like the end of the text. */
const line = `${String.raw`["a \" ]} \\",null] , `}é€😀\u0001\u007f\u2028"]],\t\r\b\f/ `
const lines = line.repeat(30_000)
const fields = ['n', 'answer'].map((name) => ({ name, dataTypeID: 25 }))
const result = (...rows: string[][]) => ({ command: 'SELECT', fields, rows })
const long = ['1', `[2,null]\n${lines}`]
const short = ['1', '[2,null]\n']
const withLength = (json: string) => ({ headers: { 'content-length': String(encoder.encode(json).length) } })

async function taken(response: Response) {
  const texts: LongText[] = []
  const left = await withoutLongText(response, (text) => texts.push(text))
  return { left, text: texts[0] }
}

async function read(text: LongText | undefined): Promise<string> {
  let all = ''
  for await (const part of text?.parts ?? []) all += part
  return all
}

describe('a long text', () => {
  it('whose result breaks off fails, after what has arrived', async () => {
    const json = JSON.stringify(result(long))
    const { text } = await taken(answerOf(json.slice(0, -100_000)).response)
    await expect(read(text)).rejects.toThrow('The result of Postgres broke off.')
    const cut = await taken(answerOf(json.slice(0, -1)).response)
    await expect(read(cut.text)).rejects.toThrow(SyntaxError)
  })

  it('with a row after it fails, because the driver did not get the row', async () => {
    const { text } = await taken(answerOf(JSON.stringify(result(long, short))).response)
    await expect(read(text)).rejects.toThrow('The result has a row after its long text.')
  })

  it.each([
    ['a single result', result(long), result(short)],
    [
      'the last result of a transaction',
      { results: [result(['7']), result(long)] },
      { results: [result(['7']), result(short)] },
    ],
  ])('of %s is the same, whatever the chunks in which it comes', async (_case, sent, shown) => {
    const json = JSON.stringify({ ...sent, rowAsArray: true })
    for (const chunkBytes of [997, 65_536]) {
      for (const options of [withLength(json), {}]) {
        const { left, text } = await taken(answerOf(json, chunkBytes, options).response)
        expect(await left.json()).toEqual(shown)
        expect((await read(text)) === lines).toBe(true)
      }
    }
  })

  it('is read no faster than its parts are asked for, and no further when it is given up', async () => {
    const json = JSON.stringify(result(long))
    const { response, seen } = answerOf(json, 65_536, withLength(json))
    const { text } = await taken(response)
    await text?.parts.next()
    expect(seen.sent).toBeLessThan(300_000)
    text?.end()
    expect(seen.isCancelled).toBe(true)
    await expect(read(text)).rejects.toThrow('The result of Postgres broke off.')
  })
})

describe('a result', () => {
  const many = Array.from({ length: 40_000 }, (_, n) => [String(n), 'a text of a line and a half'])
  it.each([
    ['of less than a megabyte', result(['1', `[2,null]\n${'x'.repeat(900_000)}`]), 200],
    ['of many short texts', result(...many), 200],
    ['whose long text has one line', result(['1', 'x'.repeat(2_000_000)]), 200],
    ['that is an error', { message: lines, code: '22P02' }, 400],
  ])('%s is returned as it is', async (_case, sent, status) => {
    const json = JSON.stringify(sent)
    for (const known of [withLength(json), {}]) {
      const { left, text } = await taken(answerOf(json, 65_536, { status, ...known }).response)
      expect([left.status, text]).toEqual([status, undefined])
      expect((await left.text()) === json).toBe(true)
    }
  })
})
