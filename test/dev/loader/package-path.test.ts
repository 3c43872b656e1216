/** The paths that a data package may contain. */
import { describe, expect, it } from 'vitest'
import { packagePath } from '../../../dev/loader/package-path.ts'

const refusal = (path: string): string => {
  try {
    return `accepted as ${packagePath(path)}`
  } catch (error) {
    return (error as Error).message
  }
}

describe('a path in a data package', () => {
  it.each([
    ['../../etc/passwd', 'leads out of the folder of the package'],
    ['data/../../secret.csv', 'leads out of the folder of the package'],
    ['..', 'leads out of the folder of the package'],
    ['/etc/passwd', 'is an absolute path'],
    ['~/people.csv', 'is an absolute path'],
    ['C:\\people.csv', 'is an absolute path'],
    ['data\\people.csv', 'has a backslash'],
    ['https://example.com/people.csv', 'is on another server, and nothing is fetched'],
    ['file:///etc/passwd', 'is on another server, and nothing is fetched'],
    ['people.csv\0.txt', 'is not the name of a file'],
    ['', 'is not the name of a file'],
  ])('is refused if it is %j: it %s', (path, reason) => {
    expect(refusal(path)).toContain(`${JSON.stringify(path)} ${reason}`)
  })

  it.each([
    ['people.csv', 'people.csv'],
    ['./data/people.csv', 'data/people.csv'],
    ['data/../people.csv', 'people.csv'],
    ['..people.csv', '..people.csv'],
  ])('is accepted if it is %j', (path, plain) => {
    expect(packagePath(path)).toBe(plain)
  })
})
