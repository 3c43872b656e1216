/** The texts of e-mails, in German. */
import {
  type AccountDetails,
  type CodeDetails,
  type InvitationDetails,
  isOfMonth,
  type LimitDetails,
  type SenderDetails,
  type SiteDetails,
} from './details.ts'
import type { Letters } from './en.ts'

const notWanted =
  'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren: Es ändert sich nichts.'
const validity = 'Der Link gilt einmal und 30 Minuten lang.'
const notYou =
  'Wenn Sie das nicht waren, setzen Sie sofort Ihr Passwort zurück, oder wenden Sie sich an den Betreiber ' +
  'dieses Dienstes.'
const signedOut = 'Sie wurden überall abgemeldet, und Ihre API-Schlüssel wurden gelöscht.'
const endOthers = 'beenden Sie alle anderen Anmeldungen, und ändern Sie Ihr Passwort.'
const ownLink = `${notWanted} Ohne diese E-Mail kann niemand die Registrierung abschließen.`

const introduction = ({ organization, inviter }: InvitationDetails): string =>
  `${inviter}` === ''
    ? `Sie sind eingeladen, ${organization} beizutreten.`
    : `${inviter} hat Sie eingeladen, ${organization} beizutreten.`

const invitationFrame = ({ organization, url }: InvitationDetails) => ({
  subject: `Einladung zu ${organization}`,
  action: { label: 'Einladung annehmen', url },
  footer: 'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
})

/** The names of the measures. */
const measures: Readonly<Record<LimitDetails['measure'], string>> = {
  requests: 'Anfragen',
  invocations: 'Läufe von Funktionen',
  emails: 'E-Mails',
  records: 'Datensätze',
  bytes: 'Bytes',
}

const accounts: Letters['accounts'] = {
  'reset-password': ({ username, url }: AccountDetails) => ({
    subject: 'Setzen Sie Ihr Passwort zurück',
    paragraphs: [
      'Guten Tag,',
      `jemand möchte das Passwort Ihres Kontos ${username} zurücksetzen. Wenn Sie das sind, ` +
        `wählen Sie ein neues Passwort. ${validity}`,
      'Sie werden überall abgemeldet, und Ihre API-Schlüssel werden gelöscht.',
    ],
    action: { label: 'Neues Passwort wählen', url },
    footer: notWanted,
  }),
  'verify-email': ({ username, url }: AccountDetails) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      'Guten Tag,',
      `bitte bestätigen Sie, dass dies die E-Mail-Adresse Ihres Kontos ${username} ist. ${validity}`,
      'Wenn jemand anderes das Passwort des Kontos gesetzt oder es mit einem Anbieter verbunden hat, wird ' +
        'das entfernt.',
    ],
    action: { label: 'Adresse bestätigen', url },
    footer: notWanted,
  }),
  'change-email': ({ username, url }: AccountDetails) => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    paragraphs: [
      'Guten Tag,',
      `das Konto ${username} soll diese E-Mail-Adresse erhalten. Wenn das Ihr Konto ist, ` +
        `bestätigen Sie die Adresse, während Sie angemeldet sind. ${validity}`,
    ],
    action: { label: 'Adresse bestätigen', url },
    footer: notWanted,
  }),
  'account-created': ({ username, url }: AccountDetails) => ({
    subject: 'Wählen Sie ein Passwort für Ihr Konto',
    paragraphs: [
      'Guten Tag,',
      `eine Organisation hat das Konto ${username} für Sie angelegt. Wählen Sie ein Passwort, ` +
        'um sich anzumelden. Der Link gilt einmal und sieben Tage lang.',
      'Später können Sie auf der Anmeldeseite einen neuen Link anfordern: „Passwort vergessen?“',
    ],
    action: { label: 'Passwort wählen', url },
    footer: 'Wenn Sie dieses Konto nicht erwartet haben, können Sie diese E-Mail ignorieren.',
  }),
  'sign-up': ({ url }: AccountDetails) => ({
    subject: 'Schließen Sie Ihre Registrierung ab',
    paragraphs: [
      'Guten Tag,',
      'jemand hat sich mit dieser E-Mail-Adresse registriert. Wenn Sie das waren, öffnen Sie den Link, und ' +
        `geben Sie das Passwort ein, das Sie gewählt haben. ${validity}`,
    ],
    action: { label: 'Registrierung abschließen', url },
    footer: ownLink,
  }),
  'sign-up-passkey': ({ url }: AccountDetails) => ({
    subject: 'Schließen Sie Ihre Registrierung ab',
    paragraphs: [
      'Guten Tag,',
      'jemand hat sich mit dieser E-Mail-Adresse und einem Passkey registriert. Wenn Sie das waren, öffnen ' +
        `Sie den Link auf einem Gerät, das den Passkey hat, und verwenden Sie ihn. ${validity}`,
    ],
    action: { label: 'Registrierung abschließen', url },
    footer: ownLink,
  }),
  'sign-up-known': ({ url }: AccountDetails) => ({
    subject: 'Sie haben bereits ein Konto',
    paragraphs: [
      'Guten Tag,',
      'jemand hat sich mit dieser E-Mail-Adresse registriert, die bereits ein Konto hat. Wenn Sie das ' +
        'waren, melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, können Sie ein neues ' +
        'wählen. Auf der Seite Ihres Kontos können Sie dann der Site beitreten.',
    ],
    action: { label: 'Passwort zurücksetzen', url },
    footer: notWanted,
  }),
  'password-changed': ({ username }: AccountDetails) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: ['Guten Tag,', `das Passwort Ihres Kontos ${username} wurde geändert. ${signedOut}`, notYou],
    footer: 'Wir senden diese E-Mail immer, wenn ein Passwort geändert wird.',
  }),
  'email-changed': ({ username }: AccountDetails) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    paragraphs: [
      'Guten Tag,',
      `Ihr Konto ${username} hat jetzt eine andere E-Mail-Adresse. Von nun an schreiben wir an ` +
        'die neue.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
    ],
    footer:
      'Wir senden diese E-Mail immer an die bisherige Adresse, wenn eine Adresse geändert wird, und auch ' +
      'an die neue, wenn jemand anderes sie geändert hat.',
  }),
  'factors-changed': ({ username }: AccountDetails) => ({
    subject: 'Die zweiten Faktoren Ihres Kontos wurden geändert',
    paragraphs: [
      'Guten Tag,',
      'eine Authenticator-App oder ein Passkey wurde zu Ihrem Konto ' +
        `${username} hinzugefügt oder daraus entfernt, oder es hat neue Wiederherstellungscodes.`,
      `Wenn Sie das nicht waren, melden Sie sich an, entfernen Sie, was nicht Ihnen gehört, ${endOthers}`,
    ],
    footer: 'Wir senden diese E-Mail immer, wenn die zweiten Faktoren eines Kontos geändert werden.',
  }),
  'provider-linked': ({ username }: AccountDetails) => ({
    subject: 'Ein Anbieter wurde mit Ihrem Konto verbunden',
    paragraphs: [
      'Guten Tag,',
      `Ihr Konto ${username} lässt sich jetzt mit einem weiteren Anbieter öffnen.`,
      `Wenn Sie das nicht waren, melden Sie sich an, trennen Sie, was nicht Ihnen gehört, ${endOthers}`,
    ],
    footer:
      'Wir senden diese E-Mail immer, wenn eine angemeldete Person einen Anbieter mit einem Konto verbindet.',
  }),
  'credentials-ended': ({ username }: AccountDetails) => ({
    subject: 'Ein Anbieter wurde zum ersten Mal mit Ihrem Konto verbunden',
    paragraphs: [
      'Guten Tag,',
      `ein Anbieter hat Ihre E-Mail-Adresse bestätigt und öffnet jetzt Ihr Konto ${username}. Was jemand ` +
        'anderes vorher angelegt haben kann, ist beendet: das Passwort, API-Schlüssel und Anmeldungen, die ' +
        'nicht nach einem Nachweis Ihrer Adresse entstanden sind.',
      `Wenn Sie ein Passwort benutzen möchten, wählen Sie ein neues. ${notYou}`,
    ],
    footer:
      'Wir senden diese E-Mail, wenn die erste Anmeldung durch einen Anbieter etwas an einem Konto beendet.',
  }),
  'deletion-planned': ({ username }: AccountDetails) => ({
    subject: 'Ihr Konto wird gelöscht',
    paragraphs: [
      'Guten Tag,',
      `Ihr Konto ${username} wird in sieben Tagen gelöscht. ${signedOut}`,
      'Um das Konto zu behalten, melden Sie sich in dieser Zeit wieder an, und stellen Sie es wieder her.',
      notYou,
    ],
    footer: 'Wir senden diese E-Mail immer, wenn die Löschung eines Kontos geplant wird.',
  }),
  'account-deleted': () => ({
    subject: 'Ihr Konto wurde gelöscht',
    paragraphs: ['Guten Tag,', 'wie Sie es vor sieben Tagen verlangt haben, wurde Ihr Konto gelöscht.'],
    footer: 'Wir senden diese E-Mail immer, wenn ein Konto gelöscht wird.',
  }),
}

const invitations: Letters['invitations'] = {
  toNewUser: (invitation) => ({
    ...invitationFrame(invitation),
    paragraphs: [
      'Guten Tag,',
      introduction(invitation),
      'Um beizutreten, öffnen Sie die Einladung, nennen Sie Ihren Namen, und wählen Sie ein Passwort. Das ' +
        'dauert nur eine Minute.',
    ],
  }),
  toExistingUser: (invitation) => ({
    ...invitationFrame(invitation),
    paragraphs: [
      'Guten Tag,',
      introduction(invitation),
      'Sie haben bereits ein Konto mit dieser E-Mail-Adresse. Wenn Sie annehmen, können Sie es auch für ' +
        `${invitation.organization} verwenden.`,
      'Bitte beachten Sie: Das Passwort, das Sie beim Annehmen wählen, ersetzt Ihr bisheriges. Sie werden ' +
        'überall abgemeldet, und Ihre API-Schlüssel werden gelöscht.',
    ],
  }),
  passwordReplaced: ({ organization }) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      'Guten Tag,',
      `eine Einladung zu ${organization} wurde mit Ihrem Konto angenommen. Ihr Passwort wurde ` +
        'geändert, Sie wurden überall abgemeldet, und Ihre API-Schlüssel wurden gelöscht.',
      'Wenn Sie das waren, ist alles in Ordnung: Melden Sie sich mit Ihrem neuen Passwort an.',
      'Wenn Sie das nicht waren, wenden Sie sich bitte sofort an den Betreiber dieses Dienstes, um Ihr ' +
        'Konto zu sichern.',
    ],
    footer: 'Wir senden diese E-Mail immer, wenn eine angenommene Einladung ein vorhandenes Konto ändert.',
  }),
}

const signInCode = ({ code, organization, site }: CodeDetails) => ({
  subject: `Ihr Code für ${site}: ${code}`,
  paragraphs: [
    'Guten Tag,',
    `jemand meldet sich bei ${site} von ${organization} mit Ihrer E-Mail-Adresse ` +
      'an. Wenn Sie das sind, geben Sie diesen Code auf der Seite ein, auf der Sie sich anmelden:',
    code,
    'Der Code gilt zehn Minuten lang. Danach können Sie sich bei ' +
      `${organization} auch mit dem Anbieter anmelden, den Sie gewählt haben. ` +
      'Andere Organisationen betrifft das nicht.',
  ],
  footer:
    'Wenn Sie sich nicht gerade anmelden, geben Sie den Code niemandem. Sie können diese E-Mail ignorieren.',
})

function softLimitReached(reached: LimitDetails) {
  const { site, organization, month, soft, used, hard, url } = reached
  const counted = (count: number) => `${count.toLocaleString('de')} ${measures[reached.measure]}`
  return {
    subject: `${site}: ${counted(soft)} erreicht`,
    paragraphs: [
      'Guten Tag,',
      `die Site ${site} von ${organization} hat ${isOfMonth(reached) ? `im Monat ${month} ` : ''}` +
        `${counted(used)} ${isOfMonth(reached) ? 'verbraucht' : 'gespeichert'}. Das ist ein weiches Limit: ` +
        `Es liegt bei ${counted(soft)}, und nichts wird abgelehnt.`,
      hard === null
        ? 'Ein hartes Limit gibt es nicht.'
        : `Ab ${counted(hard)} werden Anfragen abgelehnt, die mehr brauchen.`,
    ],
    action: { label: 'Konsole öffnen', url },
    footer: 'Diese E-Mail geht einmal im Monat für jedes Limit an alle, die die Site verwalten.',
  }
}

const sentBy = ({ organization, slug }: SenderDetails) =>
  `Die Organisation ${organization} (${slug}) hat Ihnen diese E-Mail senden lassen. Um keine weiteren von ` +
  'ihr zu erhalten:'

/** The texts. */
const byFunction = ({ site }: SiteDetails) =>
  `Die Anwendung von ${site} hat diese E-Mail geschrieben, nicht der Betreiber dieses Dienstes.`

export const de: Letters = {
  ...{ language: 'de', accounts, invitations, signInCode, softLimitReached },
  ...{ sentBy, byFunction },
}
