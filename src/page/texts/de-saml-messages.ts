/** The German reasons for rejecting a response of a SAML provider, by the English sentence. */

const german: readonly (readonly [english: string, german: string])[] = [
  ['It is not an XML document in base64.', 'Sie ist kein XML-Dokument in Base64.'],
  [
    'It does not contain exactly one response with one ' + 'assertion.',
    'Sie ist nicht eine Antwort mit einer Assertion.',
  ],
  [
    'Its assertion is encrypted. Turn off the encryption of assertions at the provider.',
    'Ihre Assertion ist verschlüsselt. Schalten Sie die Verschlüsselung von Assertions beim Anbieter ab.',
  ],
  [
    'Neither the response nor its assertion is signed.',
    'Weder die Antwort noch ihre Assertion ist unterschrieben.',
  ],
  [
    'The form of its signature is not supported.',
    'Ihre Unterschrift hat nicht die Form, die angenommen wird.',
  ],
  [
    'The algorithm of its signature is not supported. Use RSA or ECDSA with SHA-256.',
    'Das Verfahren ihrer Unterschrift wird nicht angenommen. Nehmen Sie RSA oder ECDSA mit SHA-256.',
  ],
  [
    "No certificate in the provider's metadata matches its signature.",
    'Ihre Unterschrift stammt von keinem Zertifikat in den Metadaten des Anbieters.',
  ],
  [
    "Its issuer is not the one in the provider's metadata.",
    'Sie stammt von einem anderen Aussteller, als die Metadaten des Anbieters sagen.',
  ],
  ['It was sent to another address.', 'Sie ist für eine andere Adresse bestimmt.'],
  ['Its assertion is for another recipient.', 'Ihre Assertion ist für einen anderen Empfänger bestimmt.'],
  [
    'The audience of its assertion is not the client_id of the app.',
    'Ihre Assertion ist für eine andere Audience bestimmt als die client_id der App.',
  ],
  [
    "Its assertion is not valid yet. Check the provider's clock.",
    'Ihre Assertion gilt noch nicht. Prüfen Sie die Uhr des Anbieters.',
  ],
  [
    "Its assertion has expired. Check the provider's clock.",
    'Ihre Assertion gilt nicht mehr. Prüfen Sie die Uhr des Anbieters.',
  ],
  ['Its assertion is valid for longer than a day.', 'Ihre Assertion gilt länger als einen Tag.'],
  ['Its assertion has unknown conditions.', 'Ihre Assertion hat Bedingungen, die nicht bekannt sind.'],
  [
    'Its assertion must have exactly one bearer confirmation.',
    'Ihre Assertion ist nicht allein für den bestätigt, der sie überbringt.',
  ],
  ['It belongs to a different sign-in.', 'Sie gehört nicht zu der Anmeldung, die begonnen wurde.'],
  [
    'It belongs to no sign-in, and the app does not allow sign-ins to start at the provider.',
    'Sie gehört zu keiner Anmeldung, und die App erlaubt nicht, dass Anmeldungen beim Anbieter beginnen.',
  ],
  [
    'Its assertion does not say that the person has signed in.',
    'Ihre Assertion sagt nicht, dass sich die Person angemeldet hat.',
  ],
  [
    'Its assertion has no permanent identifier of the person.',
    'Ihre Assertion nennt keine Kennung der Person, die gleich bleibt.',
  ],
  ['Its assertion was already used.', 'Ihre Assertion wurde schon benutzt.'],
]

/** The whole messages with their translations. */
export const samlMessages: readonly (readonly [english: string, german: string])[] = german.map(
  ([english, translated]) => [
    `The response of the provider was refused. ${english}`,
    `Die Antwort des Anbieters wurde abgelehnt. ${translated}`,
  ],
)
