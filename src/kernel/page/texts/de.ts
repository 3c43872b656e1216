/** The texts of the pages for browsers, in German. */
import type { Permission } from '../../permissions.ts'
import { germanError } from './de-errors.ts'
import { deFactors } from './de-factors.ts'
import { germanMessage } from './de-messages.ts'
import type { Texts } from './en.ts'
import { homeDe } from './home.ts'

/** The meaning of each permission. Each text continues "Sie können". */
const abilities: Readonly<Record<Permission, string>> = {
  access_site: 'Apps, Tabellen und Datensätze ansehen',
  view_site: 'die Site sehen',
  change_site: 'Datensätze anlegen, ändern und löschen',
  delete_site: 'Apps und Tabellen löschen',
  manage_site: 'Apps, Tabellen und Geheimnisse verwalten',
  manage_site_users: 'verwalten, wer Zugang hat',
  admin_site: 'alles tun',
}

export const de: Texts = {
  language: 'de',
  errorText: germanError,
  message: germanMessage,
  home: homeDe,
  common: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    firstName: 'Vorname',
    lastName: 'Nachname',
    code: 'Code',
    signIn: 'Anmelden',
    signInAgain: 'Erneut anmelden',
    signInAtService: 'Beim Dienst anmelden',
    notSignedIn: 'Nicht angemeldet',
    notChanged: 'Nicht geändert',
    or: 'oder',
    lookIntoMailbox: 'Sehen Sie in Ihr Postfach',
    newLink: 'Neuen Link anfordern',
    passwordRule:
      'Verwenden Sie mindestens 8 Zeichen, darunter einen Großbuchstaben, einen Kleinbuchstaben und eine ' +
      'Ziffer.',
    signedOutEverywhere: 'Sie werden überall abgemeldet.',
  },
  error: {
    title: 'Das hat nicht geklappt',
    signInTitle: 'Bitte melden Sie sich an',
    toSignIn: 'Zur Anmeldung',
    noPage: 'Diese Seite gibt es nicht.',
    checkAddress: 'Bitte prüfen Sie die Adresse.',
    invalid: 'Die Anfrage war nicht gültig.',
  },
  login: {
    title: (site) => `Anmelden – ${site}`,
    titleWithProblem: (site) => `Nicht angemeldet – ${site}`,
    heading: (site) => `Anmelden bei ${site}`,
    continueWith: (provider) => `Weiter mit ${provider}`,
    username: 'Benutzername oder E-Mail-Adresse',
    forgotPassword: 'Passwort vergessen?',
    signUp: 'Registrieren',
    missingInput: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse und Ihr Passwort ein.',
    usePasskey: 'Passkey verwenden',
    passkeyErrors: {
      NotAllowedError: 'Es wurde kein Passkey verwendet.',
      InvalidStateError: 'Dieses Gerät hat schon einen Passkey.',
    },
  },
  confirm: {
    title: 'Bestätigen Sie, dass Sie es sind',
    introduction:
      'Es gibt schon ein Konto mit Ihrer E-Mail-Adresse. Wir haben einen Code an diese Adresse gesendet. ' +
      'Geben Sie den Code ein, um sich anzumelden. Er gilt zehn Minuten lang.',
    wrongCode: 'Das ist nicht der gesendete Code. Verwenden Sie den Code aus der neuesten E-Mail.',
  },
  continue: { title: 'Anmeldung läuft', button: 'Weiter' },
  factor: {
    title: 'Zweiter Faktor',
    heading: 'Noch ein Schritt',
    introduction: 'Geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
    wrongCode: 'Dieser Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten Code der App.',
    trust: (days: number) => `Diesem Browser ${days} ${days === 1 ? 'Tag' : 'Tage'} vertrauen`,
  },
  links: {
    notSent: 'Nicht gesendet',
    button: 'Link senden',
    reset: {
      title: 'Passwort zurücksetzen',
      introduction:
        'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues ' +
        'Passwort wählen.',
    },
    verify: {
      title: 'E-Mail-Adresse bestätigen',
      introduction:
        'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, der sie bestätigt.',
    },
    sent:
      'Wenn ein Konto diese E-Mail-Adresse hat, haben wir einen Link dorthin gesendet. Der Link gilt ' +
      'einmal und 30 Minuten lang.',
    otherAccount:
      'Melden Sie sich bei dem Konto an, dessen E-Mail-Adresse sich ändert, und öffnen Sie den Link erneut.',
  },
  newPassword: {
    title: 'Neues Passwort wählen',
    titleWithProblem: 'Nicht geändert – neues Passwort wählen',
    deadTitle: 'Nicht geändert – Ihr Passwort',
    label: 'Neues Passwort',
    button: 'Passwort setzen',
    doneTitle: 'Ihr Passwort ist gesetzt',
    done: 'Sie wurden überall abgemeldet. Sie können sich jetzt mit dem neuen Passwort anmelden.',
  },
  address: {
    title: 'E-Mail-Adresse bestätigen',
    titleWithProblem: 'Nicht bestätigt – Ihre E-Mail-Adresse',
    button: 'Adresse bestätigen',
    doneTitle: 'Ihre E-Mail-Adresse ist bestätigt',
    done: (email) => `Die Adresse ${email} ist bestätigt.`,
    noPassword: 'Ihr Konto hat noch kein Passwort. Wählen Sie bei der Anmeldung „Passwort vergessen?“.',
  },
  signUp: {
    title: 'Registrieren',
    titleWithProblem: 'Nicht registriert',
    hint: 'Wir senden Ihnen eine E-Mail mit einem Link.',
    haveAccount: 'Ich habe schon ein Konto',
    sent:
      'Wenn Ihre Adresse sich hier registrieren kann, haben wir eine E-Mail dorthin gesendet. Ihr Link ' +
      'gilt einmal und 30 Minuten lang.',
    finishTitle: 'Registrierung abschließen',
    finishIntroduction:
      'Geben Sie das Passwort ein, das Sie gewählt haben. Wenn Sie sich nicht registriert haben, schließen ' +
      'Sie diese Seite.',
    finish: 'Abschließen',
    again: 'Erneut registrieren',
    doneTitle: 'Ihr Konto ist bereit',
    done: (email) => `Sie können sich jetzt mit ${email} und Ihrem Passwort anmelden.`,
    withPasskey: 'Mit einem Passkey registrieren',
    passkeyHint: 'Ein Passkey meldet Sie mit der Sperre Ihres Geräts an, ohne Passwort.',
    finishWithPasskey:
      'Benutzen Sie den Passkey, den Sie bei der Registrierung erstellt haben. Wenn Sie sich nicht ' +
      'registriert haben, schließen Sie diese Seite.',
    doneWithPasskey: 'Ihr Konto ist bereit. Sie können sich jetzt mit Ihrem Passkey anmelden.',
  },
  ...deFactors,
  commandLine: {
    title: 'Die Kommandozeile anmelden?',
    machine: 'Rechner',
    account: 'Konto',
    rights: 'Sie darf dann, was Sie dürfen, bis Sie ihre Anmeldung beenden.',
    compare: 'Vergleichen Sie diesen Code mit dem in Ihrem Terminal:',
    warning:
      'Lehnen Sie ab, wenn Sie nicht gerade `tessera login` auf diesem Rechner aufgerufen haben, oder wenn ' +
      'die Codes verschieden sind.',
    agree: 'Die Codes sind gleich: anmelden',
    refuse: 'Ablehnen',
  },
  account: {
    title: 'Ihr Konto',
    signedInAs: (username) => `Angemeldet als ${username}`,
    person: 'Über Sie',
    language: 'Sprache, zum Beispiel de oder en-GB',
    save: 'Speichern',
    saved: 'Ihre Änderungen sind gespeichert.',
    address: 'E-Mail-Adresse',
    presentAddress: (email, isVerified) => `${email}, ${isVerified ? 'bestätigt' : 'nicht bestätigt'}.`,
    pendingAddress: (email) =>
      `${email} wartet darauf, dass Sie den Link öffnen, den wir dorthin gesendet haben.`,
    newAddress: 'Neue E-Mail-Adresse',
    changeAddress: 'Adresse ändern',
    addressAsked:
      'Wenn Sie diese Adresse haben können, haben wir einen Link dorthin gesendet. Öffnen Sie ihn in ' +
      'diesem Browser.',
    currentPassword: 'Bisheriges Passwort',
    changePassword: 'Passwort ändern',
    passwordHint: 'Sie werden überall sonst abgemeldet, und Ihre API-Schlüssel werden ungültig.',
    passwordChanged: 'Ihr Passwort ist geändert.',
    noPassword: 'Dieses Konto hat noch kein Passwort. Setzen Sie es zurück, um einen Link dafür zu erhalten.',
    lastWayIn: 'Nur so können Sie sich bei dem Konto anmelden. Legen Sie zuerst ein Passwort fest.',
    factors: 'Zweite Faktoren',
    signIns: 'Wo Sie angemeldet sind',
    signInLater: 'Ihre Anmeldung steht gleich hier.',
    unknownDevice: 'Unbekanntes Gerät',
    lastUsed: 'zuletzt verwendet',
    isCurrent: 'dieser Browser',
    end: 'Beenden',
    endOf: (device) => `Anmeldung von ${device} beenden`,
    endOthers: 'Alle anderen Anmeldungen beenden',
    ended: 'Die Anmeldung ist beendet.',
    othersEnded: 'Alle anderen Anmeldungen sind beendet.',
    moreSignIns: 'Es gibt mehr Anmeldungen, als hier stehen.',
    providers: 'Anbieter',
    trusted: 'Browser, denen Sie vertrauen',
    trustedUntil: 'kein zweiter Faktor bis',
    endTrust: 'Nicht mehr vertrauen',
    endTrustOf: (device: string) => `Nicht mehr vertrauen: ${device}`,
    trustEnded: 'Dem Browser wird nicht mehr vertraut.',
    offered: 'Rechte in Sites',
    offeredHint:
      'Organisationen haben Ihnen Rechte in diesen Sites gegeben. Die Rechte gelten sofort. Wenn Sie sie ' +
      'nutzen oder annehmen, kann keine andere Organisation mehr Ihr Konto beenden.',
    accept: 'Annehmen',
    acceptOf: (site) => `Rechte in ${site} annehmen`,
    accepted: 'Sie haben die Rechte angenommen.',
    decline: 'Ablehnen',
    declineOf: (site) => `Rechte in ${site} ablehnen`,
    declined: 'Sie haben die Rechte aufgegeben.',
    join: (site) => `${site} beitreten`,
    joinHint:
      'Ihr Konto gehört noch nicht zu dieser Site. Sie können ihr beitreten, als hätten Sie sich hier ' +
      'registriert.',
    joined: 'Sie sind dieser Site beigetreten.',
    noProviders: 'Mit Ihrem Konto ist kein Anbieter verknüpft.',
    link: 'Anbieter verknüpfen',
    linked: 'Der Anbieter ist verknüpft.',
    unlink: 'Trennen',
    unlinkOf: (provider) => `${provider} trennen`,
    unlinked: 'Der Anbieter ist getrennt.',
    deletion: 'Konto löschen',
    deletionHint:
      'Ihr Konto wird in sieben Tagen gelöscht, und Sie werden überall abgemeldet. Bis dahin können Sie ' +
      'sich anmelden und es behalten.',
    deletes: (date) => `Ihr Konto wird am ${date} gelöscht.`,
    keep: 'Konto behalten',
    kept: 'Ihr Konto bleibt bestehen.',
    deleted: (date) =>
      `Sie sind überall abgemeldet. Ihr Konto wird am ${date} gelöscht. ` +
      'Um es zu behalten, melden Sie sich vorher an.',
    data: 'Ihre Daten',
    dataHint: 'Was über Sie gespeichert ist, als Datei.',
    loadData: 'Daten herunterladen',
    signOut: 'Abmelden',
    startPage: 'Startseite',
  },
  linking: {
    title: 'Anbieter verknüpfen',
    introduction: 'Ein verknüpfter Anbieter meldet Sie auf dieser Site an, so wie Ihr Passwort.',
    none: 'Diese Site hat keine Anbieter.',
    link: (provider) => `${provider} verknüpfen`,
  },
  stop: {
    title: (organization) => `E-Mails von ${organization}`,
    question:
      'Die Organisation darf Ihnen Einladungen senden, und E-Mails zu einem Konto, das sie für Sie ' +
      'angelegt hat.',
    button: 'Diese E-Mails beenden',
    stopped:
      'Sie erhalten diese E-Mails nicht mehr. Warnungen zu einem Konto von Ihnen senden wir weiterhin.',
    allow: 'Wieder erlauben',
  },
  invitation: {
    notAccepted: (organization) => `Nicht angenommen – ${organization}`,
    title: (organization) => `${organization} beitreten`,
    byInviter: (name, address, organization, email) =>
      `${name} (${address}) lädt Sie ein, ${organization} als ${email} beizutreten.`,
    byNobody: (organization, email) => `Sie sind eingeladen, ${organization} als ${email} beizutreten.`,
    groups: (names) =>
      `Sie treten ${names.length > 1 ? 'den Gruppen' : 'der Gruppe'} ${names.join(', ')} bei.`,
    site: (slug, permissions) =>
      permissions.length > 0
        ? `Auf der Site ${slug} können Sie ${permissions.map((each) => abilities[each]).join('; ')}.`
        : `Auf der Site ${slug} haben Sie noch keine Rechte.`,
    siteRoles: (slug, roles) =>
      `Auf der Site ${slug} bekommen Sie die ${roles.length > 1 ? 'Rollen' : 'Rolle'} ${roles.join(', ')}.`,
    replacesPassword:
      'Sie haben schon ein Konto mit dieser E-Mail-Adresse. Dieses Passwort ersetzt Ihr bisheriges, und ' +
      'Sie werden überall abgemeldet.',
    accept: 'Einladung annehmen',
    accountNotProved:
      'Dieser Link gilt nicht für das Konto, das Sie schon haben. Bitte öffnen Sie den Link in der ' +
      'neuesten Einladung, die wir Ihnen gesendet haben.',
    welcome: (organization) => `Willkommen bei ${organization}`,
    accepted: (email) =>
      `Sie sind jetzt Mitglied. Melden Sie sich als ${email} mit dem Passwort an, das Sie gerade gewählt ` +
      `haben.`,
    signInTo: (site) => `Anmelden bei ${site}`,
  },
}
