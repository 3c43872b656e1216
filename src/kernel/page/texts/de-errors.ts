/**
 * The German texts of errors that pages show, by the code and, if several causes have it, the reason. An
 * error without a text stays English.
 */
import { type ErrorTexts, errorTextFrom } from './messages.ts'

/** Why a response of a SAML provider was refused. */
const samlReasons: Readonly<Record<string, string>> = {
  encoding: 'Sie ist kein XML-Dokument in Base64.',
  form: 'Sie ist nicht eine Antwort mit einer Assertion.',
  encrypted:
    'Ihre Assertion ist verschlüsselt. Schalten Sie die Verschlüsselung von Assertions beim Anbieter ab.',
  unsigned: 'Weder die Antwort noch ihre Assertion ist unterschrieben.',
  signature: 'Ihre Unterschrift hat nicht die Form, die angenommen wird.',
  algorithm: 'Das Verfahren ihrer Unterschrift wird nicht angenommen. Nehmen Sie RSA oder ECDSA mit SHA-256.',
  forged: 'Ihre Unterschrift stammt von keinem Zertifikat in den Metadaten des Anbieters.',
  issuer: 'Sie stammt von einem anderen Aussteller, als die Metadaten des Anbieters sagen.',
  destination: 'Sie ist für eine andere Adresse bestimmt.',
  recipient: 'Ihre Assertion ist für einen anderen Empfänger bestimmt.',
  audience: 'Ihre Assertion ist für eine andere Audience bestimmt als die client_id der App.',
  early: 'Ihre Assertion gilt noch nicht. Prüfen Sie die Uhr des Anbieters.',
  late: 'Ihre Assertion gilt nicht mehr. Prüfen Sie die Uhr des Anbieters.',
  long: 'Ihre Assertion gilt länger als einen Tag.',
  conditions: 'Ihre Assertion hat Bedingungen, die nicht bekannt sind.',
  confirmation: 'Ihre Assertion ist nicht allein für den bestätigt, der sie überbringt.',
  request: 'Sie gehört nicht zu der Anmeldung, die begonnen wurde.',
  unsolicited:
    'Sie gehört zu keiner Anmeldung, und die App erlaubt nicht, dass Anmeldungen beim Anbieter beginnen.',
  authentication: 'Ihre Assertion sagt nicht, dass sich die Person angemeldet hat.',
  subject: 'Ihre Assertion nennt keine Kennung der Person, die gleich bleibt.',
  replay: 'Ihre Assertion wurde schon benutzt.',
}

const texts: ErrorTexts = {
  not_authenticated: 'Sie sind nicht angemeldet.',
  invalid_credentials: 'Ihre Anmeldung ist abgelaufen oder ungültig.',
  sign_in_failed: 'Mit diesen Angaben wurde kein aktives Konto gefunden.',
  permission_denied: 'Sie haben dafür nicht die nötigen Rechte.',
  unavailable: 'Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  busy: 'Es werden gerade zu viele Anfragen bearbeitet. Versuchen Sie es gleich noch einmal.',
  rate_limited: 'Zu viele Versuche. In {n} Sekunden geht es wieder.',
  too_many_wrong_codes:
    'Es gab zu viele falsche Codes. In {n} Sekunden geht es wieder. Ein Wiederherstellungscode oder ein ' +
    'Passkey gilt jetzt.',
  fresh_sign_in_required:
    'Dafür ist eine Anmeldung der letzten {n} Sekunden nötig. Melden Sie sich erneut an.',
  'validation_failed.command_line':
    'Diese Adresse ist nicht vollständig. Rufen Sie `tessera login` noch einmal auf.',
  link_invalid: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  last_owner:
    'Das Konto ist der einzige Besitzer einer Organisation. Eine Organisation braucht einen Besitzer.',
  wrong_password: 'Das ist nicht das bisherige Passwort.',
  'wrong_password.sign_up': 'Das ist nicht das Passwort, das bei der Registrierung gewählt wurde.',
  sign_up_closed: 'Auf dieser Site kann man sich nicht registrieren.',
  'sign_up_closed.provider': 'Sie haben hier kein Konto, und diese Site legt keines an.',
  email_domain_not_allowed: 'Diese Site nimmt keine E-Mail-Adressen dieser Domain an.',
  'wrong_code.invitation':
    'Der Code gehört nicht zur neuesten E-Mail. Öffnen Sie den Link in der neuesten E-Mail.',
  invitation_accepted: 'Diese Einladung wurde schon angenommen.',
  invitation_expired: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
  invitation_replaced:
    'Diese Einladung wurde durch eine neuere ersetzt. Verwenden Sie den Link in der neuesten E-Mail.',
  'invitation_ended.organization': 'Die Organisation dieser Einladung ist gelöscht.',
  'invitation_ended.inviter':
    'Wer diese Einladung gesendet hat, darf nicht mehr einladen. Bitten Sie um eine neue.',
  'invitation_ended.joined': 'Diese Einladung ist beendet: Die Person ist auf anderem Weg Mitglied geworden.',
  'invitation_ended.removed':
    'Diese Einladung ist beendet: Die Person wurde aus der Organisation entfernt. Bitten Sie um eine neue.',
  'invitation_ended.deactivated':
    'Diese Einladung ist beendet: Die Person wurde in der Organisation deaktiviert.',
  'invitation_ended.address':
    'Diese Einladung ist beendet: Das Konto der Person hat jetzt eine andere Adresse.',
  challenge_expired: 'Diese Anmeldung ist abgelaufen oder schon beendet. Melden Sie sich erneut an.',
  sign_in_expired:
    'Diese Anmeldung ist abgelaufen, schon beendet oder wurde anderswo begonnen. Beginnen Sie von vorn.',
  sign_in_cancelled: 'Die Anmeldung wurde abgebrochen oder vom Anbieter abgelehnt.',
  confirmation_expired:
    'Diese Bestätigung ist abgelaufen oder wurde schon verwendet. Beginnen Sie die Anmeldung von vorn.',
  provider_unusable:
    'Der Anbieter ist nicht eingerichtet, oder seine Einstellungen können nicht gelesen werden.',
  'provider_failed.email': 'Der Anbieter hat keine E-Mail-Adresse genannt, die ein Konto haben kann.',
  email_not_verified:
    'Es gibt schon ein Konto mit dieser E-Mail-Adresse, und der Anbieter hat die Adresse nicht bestätigt.',
  ...Object.fromEntries(
    Object.entries(samlReasons).map(([reason, text]) => [
      `saml_response_refused.${reason}`,
      `Die Antwort des Anbieters wurde abgelehnt. ${text}`,
    ]),
  ),
}

/** Returns the German text for an error; undefined if it has none. */
export const germanError = errorTextFrom(texts)
