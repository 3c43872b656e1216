/** Keywords that judge the value itself by other schemas. */
import type { Node } from '../document.ts'
import { fits, type Marks, merge, type Path, type Problem, refuse, type Scope, type Spot } from '../run.ts'
import { cut, trait } from '../words.ts'
import { type Family, listIn } from './family.ts'

export const all: Family = ({ allOf }, { inPlace }) => {
  const nodes = listIn(allOf).map(inPlace)
  return nodes.length === 0 ? undefined : (value, spot) => fitsAll(nodes, value, spot)
}

function fitsAll(nodes: readonly Node[], value: unknown, spot: Spot): boolean {
  let valid = true
  for (const node of nodes) {
    if (fits(node, value, spot)) continue
    valid = false
    if (!spot.problems) break
  }
  return valid
}

/** Judges a value by a schema that it need not fit: what was found out counts only if it does. */
function tries(node: Node, value: unknown, spot: Spot, problems: Problem[] | undefined): boolean {
  const marks: Marks | undefined = spot.marks && { names: new Set(), items: new Set() }
  const valid = fits(node, value, { ...spot, problems, marks })
  if (valid && marks && spot.marks) merge(marks, spot.marks, spot.run)
  return valid
}

export const some: Family = ({ anyOf }, { inPlace }) => {
  const nodes = listIn(anyOf).map(inPlace)
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    const failed: Problem[][] = []
    let valid = false
    for (const node of nodes) {
      const problems: Problem[] = []
      if (tries(node, value, spot, spot.problems && problems)) valid = true
      failed.push(problems)
      if (valid && !spot.marks) break
    }
    return valid || refuseAll('at least', failed, spot)
  }
}

export const one: Family = ({ oneOf }, { inPlace }) => {
  const nodes = listIn(oneOf).map(inPlace)
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    const failed: Problem[][] = []
    const fitting: number[] = []
    for (const [index, node] of nodes.entries()) {
      const problems: Problem[] = []
      if (tries(node, value, spot, spot.problems && problems)) fitting.push(index + 1)
      failed.push(problems)
      if (fitting.length > 1) break
    }
    if (fitting.length === 0) return refuseAll('exactly', failed, spot)
    const message = `Must match exactly one of the ${nodes.length} alternatives, but matches number ${fitting.join(' and number ')}.`
    return fitting.length === 1 || refuse(spot, message)
  }
}

export const none: Family = ({ not }, { inPlace, node }) => {
  if (not === undefined) return undefined
  const excluded = inPlace(not)
  const message = `Must not ${trait(not, `${node.path}/not`)}.`
  return (value, spot) => !fits(excluded, value, { ...spot, problems: undefined, marks: undefined }) || refuse(spot, message)
}

export const condition: Family = ({ if: test, ...branches }, { inPlace }) => {
  if (test === undefined) return undefined
  const tested = inPlace(test)
  const [then, otherwise] = [branches.then, branches.else].map((branch) => (branch === undefined ? undefined : inPlace(branch)))
  return (value, spot) => {
    const branch = tries(tested, value, spot, undefined) ? then : otherwise
    return !branch || fits(branch, value, spot)
  }
}

/** `$ref`, and the two that look where they lead while a value is judged. */
export const references: Family = ({ $ref, $recursiveRef, $dynamicRef }, tools) => {
  const checks = [
    typeof $ref === 'string' && plain($ref),
    $recursiveRef === '#' && recursive(),
    typeof $dynamicRef === 'string' && dynamic($dynamicRef),
  ]
  const found = checks.filter((check) => typeof check === 'function')
  if (found.length === 0) return undefined
  return (value, spot) =>
    fitsAll(
      found.flatMap((find) => find(spot.run.scope) ?? []),
      value,
      spot,
    )

  function plain(reference: string) {
    const node = tools.target('$ref', reference)
    return () => node
  }

  /** The outermost resource that has said that it is one to be extended. */
  function recursive() {
    const node = tools.target('$recursiveRef', '#')
    if (node?.keywords.$recursiveAnchor !== true) return () => node
    return (scope: Scope | undefined) => outermost(scope, ({ root }) => (root?.keywords.$recursiveAnchor === true ? root : undefined)) ?? node
  }

  /** The outermost resource that has the anchor, if the anchor is a dynamic one where the reference leads. */
  function dynamic(reference: string) {
    const node = tools.target('$dynamicRef', reference)
    const anchor = reference.slice(reference.indexOf('#') + 1)
    if (!node || node.keywords.$dynamicAnchor !== anchor) return () => node
    return (scope: Scope | undefined) => outermost(scope, ({ dynamicAnchors }) => dynamicAnchors.get(anchor)) ?? node
  }
}

function outermost(scope: Scope | undefined, find: (resource: Node['resource']) => Node | undefined): Node | undefined {
  let found: Node | undefined
  for (let each = scope; each; each = each.outer) found = find(each.resource) ?? found
  return found
}

const alternativesShown = 5
const problemsShown = 3
const messageMax = 200

/** One message for alternatives of which none fits: what would have to be mended for each. */
function refuseAll(quantity: string, failed: readonly Problem[][], spot: Spot): false {
  if (!spot.problems) return false
  const [first = []] = failed
  if (failed.length === 1) {
    spot.problems.push(...first)
    return false
  }
  const ways = failed.slice(0, alternativesShown).map((problems, index) => {
    const shown = problems.slice(0, problemsShown).map(({ path, message }) => `${prefix(path, spot.path)}${cut(message, messageMax)}`)
    if (problems.length > shown.length) shown.push(`(And ${problems.length - shown.length} more.)`)
    return `(${index + 1}) ${shown.join(' ')}`
  })
  const more = failed.length > ways.length ? ` (And ${failed.length - ways.length} more.)` : ''
  return refuse(spot, `Must match ${quantity} one of ${failed.length} alternatives: ${ways.join(' ')}${more}`)
}

/** Where a problem is, seen from the value that has the alternatives. */
function prefix(path: Path | undefined, from: Path | undefined): string {
  const names: (string | number)[] = []
  for (let each = path; each && each !== from; each = each.outer) names.unshift(each.name)
  return names.length > 0 ? `${names.join('.')}: ` : ''
}
