/** Why a response of a SAML provider is refused, in German, by the English sentence. */

const german: readonly (readonly [english: string, german: string])[] = [
  ['It is not base64 of an XML document.', 'Sie ist kein XML-Dokument in Base64.'],
  ['It is not one response with one assertion.', 'Sie ist nicht eine Antwort mit einer Assertion.'],
  [
    'Its assertion is encrypted. Turn off the encryption of assertions at the provider.',
    'Ihre Assertion ist verschlüsselt. Schalten Sie die Verschlüsselung von Assertions beim Anbieter ab.',
  ],
  [
    'Neither the response nor its assertion is signed.',
    'Weder die Antwort noch ihre Assertion ist unterschrieben.',
  ],
  [
    'Its signature does not have the form that is accepted.',
    'Ihre Unterschrift hat nicht die Form, die angenommen wird.',
  ],
  [
    'Its signature has an algorithm that is not accepted. Use RSA or ECDSA with SHA-256.',
    'Das Verfahren ihrer Unterschrift wird nicht angenommen. Nehmen Sie RSA oder ECDSA mit SHA-256.',
  ],
  [
    'Its signature is not by a certificate of the metadata of the provider.',
    'Ihre Unterschrift stammt von keinem Zertifikat in den Metadaten des Anbieters.',
  ],
  [
    'It is from another issuer than the metadata of the provider says.',
    'Sie stammt von einem anderen Aussteller, als die Metadaten des Anbieters sagen.',
  ],
  ['It is for another address.', 'Sie ist für eine andere Adresse bestimmt.'],
  ['Its assertion is for another recipient.', 'Ihre Assertion ist für einen anderen Empfänger bestimmt.'],
  [
    'Its assertion is for another audience than the client_id of the app.',
    'Ihre Assertion ist für eine andere Audience bestimmt als die client_id der App.',
  ],
  [
    'Its assertion is not valid yet. Check the clock of the provider.',
    'Ihre Assertion gilt noch nicht. Prüfen Sie die Uhr des Anbieters.',
  ],
  [
    'Its assertion is not valid any more. Check the clock of the provider.',
    'Ihre Assertion gilt nicht mehr. Prüfen Sie die Uhr des Anbieters.',
  ],
  ['Its assertion is valid for longer than a day.', 'Ihre Assertion gilt länger als einen Tag.'],
  [
    'Its assertion has conditions that are not understood.',
    'Ihre Assertion hat Bedingungen, die nicht bekannt sind.',
  ],
  [
    'Its assertion is not confirmed for its bearer alone.',
    'Ihre Assertion ist nicht allein für den bestätigt, der sie überbringt.',
  ],
  [
    'It does not answer the sign-in that was started.',
    'Sie gehört nicht zu der Anmeldung, die begonnen wurde.',
  ],
  [
    'It answers no sign-in, and the app does not allow that sign-ins start at the provider.',
    'Sie gehört zu keiner Anmeldung, und die App erlaubt nicht, dass Anmeldungen beim Anbieter beginnen.',
  ],
  [
    'Its assertion does not say that the person has signed in.',
    'Ihre Assertion sagt nicht, dass sich die Person angemeldet hat.',
  ],
  [
    'Its assertion has no identifier of the person that stays the same.',
    'Ihre Assertion nennt keine Kennung der Person, die gleich bleibt.',
  ],
  ['Its assertion was used before.', 'Ihre Assertion wurde schon benutzt.'],
]

/** The whole messages with their translations. */
export const samlMessages: readonly (readonly [english: string, german: string])[] = german.map(
  ([english, translated]) => [
    `The response of the provider was refused. ${english}`,
    `Die Antwort des Anbieters wurde abgelehnt. ${translated}`,
  ],
)
