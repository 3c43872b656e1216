/** The form of a list that an Accept header requests, and the names of files. */
import { describe, expect, it } from 'vitest'
import { attachment } from '../../../../src/kernel/http/attachment.ts'
import { streamFormOf } from '../../../../src/kernel/http/stream-forms.ts'

describe('the Accept header', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['*/*', undefined],
    ['text/*', undefined],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', undefined],
    ['application/json, text/plain, */*', undefined],
    ['text/csv;q=0', undefined],
    ['text/csv;q=0.5, application/json', undefined],
    ['text/csv;q=0.5, */*', undefined],
    ['application/json, text/csv', undefined],
    ['application/json;profile=array, text/csv;q=0.9', undefined],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['application/json;q=0.5, text/csv;q=0.6', 'csv'],
    ['*/*, text/csv', 'csv'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['application/json;q=0.1, text/csv;q=0.5, */*', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['application/*, application/x-ndjson', 'ndjson'],
    ['text/csv;q=0.5, application/x-ndjson', 'ndjson'],
    ['text/csv, application/x-ndjson', 'csv'],
    ['text/csv;q=0, application/x-ndjson;q=0.1', 'ndjson'],
  ])('%s requests the form %s', (accept, form) => {
    expect(streamFormOf(accept)).toBe(form)
  })
})

describe('a file name', () => {
  it.each([
    ['tools.csv', 'tools.csv'],
    ['a"; filename=b\r\nX: 1.csv', 'a___filename_b__X__1.csv'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['.htaccess', '_htaccess'],
    ['größe.csv', 'gr__e.csv'],
    [`${'x'.repeat(300)}.csv`, `${'x'.repeat(196)}.csv`],
  ])('%j becomes %s', (name, safe) => {
    expect(attachment(name)).toBe(`attachment; filename="${safe}"`)
  })
})
