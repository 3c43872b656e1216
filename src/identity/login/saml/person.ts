/** Reads the person whom an assertion describes. */
import type { Person } from '../providers/provider.ts'
import { namespaces } from './names.ts'
import { SamlProblem } from './problems.ts'
import type { SamlSettings } from './schema.ts'
import { childrenNamed, type XmlElement } from './xml.ts'

type Mapping = NonNullable<SamlSettings['attributes']>

const [claims, oid] = ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/', 'urn:oid:']

/** The usual names of attributes: of ADFS and Entra ID, of eduPerson and LDAP, and plain words. */
const usualNames: Readonly<Record<Exclude<keyof Mapping, 'subject'>, readonly string[]>> = {
  email: ['email', 'mail', 'emailAddress', `${claims}emailaddress`, `${oid}0.9.2342.19200300.100.1.3`],
  first_name: ['first_name', 'firstName', 'givenName', `${claims}givenname`, `${oid}2.5.4.42`],
  last_name: ['last_name', 'lastName', 'sn', 'surname', `${claims}surname`, `${oid}2.5.4.4`],
  username: ['username', 'uid', 'preferred_username', `${oid}0.9.2342.19200300.100.1.1`],
}

const format = (version: string, name: string) => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`
const emailFormat = format('1.1', 'emailAddress')

/** The formats of names that do not identify the person at the next sign-in. */
const passing = [format('2.0', 'transient'), format('2.0', 'encrypted')]

/**
 * Returns the person whom an assertion names. The e-mail never counts as verified. Throws SamlProblem if the
 * assertion has no identifier that stays the same at each sign-in.
 */
export function personOf(assertion: XmlElement, mapping: Mapping = {}): Person {
  const nameId = nameIdOf(assertion)
  const attributes = attributesOf(assertion)
  const read = (field: Exclude<keyof Mapping, 'subject'>): string | undefined => {
    const mapped = mapping[field]
    const names = mapped === undefined ? usualNames[field] : [mapped]
    return names.map((name) => attributes.get(name)).find((value) => value !== undefined)
  }
  const lasting = nameId.isPassing ? undefined : nameId.value
  const subject = mapping.subject === undefined ? lasting : attributes.get(mapping.subject)
  if (!subject) throw new SamlProblem('subject')
  return {
    subject,
    email: read('email') ?? (nameId.isEmail ? nameId.value : undefined),
    emailVerified: false,
    firstName: read('first_name') ?? '',
    lastName: read('last_name') ?? '',
    username: read('username'),
  }
}

function nameIdOf(assertion: XmlElement) {
  const subjects = childrenNamed(assertion, namespaces.assertion, 'Subject')
  const names = subjects.flatMap((subject) => childrenNamed(subject, namespaces.assertion, 'NameID'))
  const [name] = names
  if (!name || names.length > 1 || name.children.length > 0) throw new SamlProblem('subject')
  const written = name.attributes.get('Format') ?? ''
  return { value: name.text.trim(), isPassing: passing.includes(written), isEmail: written === emailFormat }
}

/** Returns the first value of each attribute that has one. Values that are not plain text are left out. */
function attributesOf(assertion: XmlElement): Map<string, string> {
  const found = new Map<string, string>()
  for (const statement of childrenNamed(assertion, namespaces.assertion, 'AttributeStatement'))
    for (const attribute of childrenNamed(statement, namespaces.assertion, 'Attribute')) {
      const name = attribute.attributes.get('Name') ?? ''
      const value = childrenNamed(attribute, namespaces.assertion, 'AttributeValue')
        .filter(({ children }) => children.length === 0)
        .map(({ text }) => text.trim())
        .find((text) => text !== '')
      if (value !== undefined && !found.has(name)) found.set(name, value)
    }
  return found
}
