/** The texts of the pages of an invitation, in English and German. */
import { defineTexts } from '../../../kernel/page/texts/define.ts'
import type { Permission } from '../../../kernel/permissions.ts'

/** The meaning of each permission. Each text continues "you can". */
const abilitiesEn: Readonly<Record<Permission, string>> = {
  access_site: 'view apps, tables and records',
  view_site: 'see the site',
  change_site: 'add, change and delete records',
  delete_site: 'delete apps and tables',
  manage_site: 'manage apps, tables and secrets',
  manage_site_users: 'manage who has access',
  admin_site: 'do everything',
}

const en = {
  invitation: {
    notAccepted: (organization: string) => `Not accepted – ${organization}`,
    title: (organization: string) => `Join ${organization}`,
    byInviter: (name: string, address: string, organization: string, email: string) =>
      `${name} (${address}) has invited you to join ${organization} as ${email}.`,
    byNobody: (organization: string, email: string) =>
      `You have been invited to join ${organization} as ${email}.`,
    groups: (names: readonly string[]) =>
      `You will join the ${names.length > 1 ? 'groups' : 'group'} ${names.join(', ')}.`,
    site: (slug: string, permissions: readonly Permission[]) =>
      `On the site ${slug} you ${
        permissions.length > 0
          ? `can ${permissions.map((permission) => abilitiesEn[permission]).join('; ')}`
          : 'have no permissions yet'
      }.`,
    siteRoles: (slug: string, roles: readonly string[]) =>
      `On the site ${slug} you get the ${roles.length > 1 ? 'roles' : 'role'} ${roles.join(', ')}.`,
    replacesPassword:
      'You already have an account with this e-mail address. This password replaces your current one, and ' +
      'you will be signed out everywhere.',
    accept: 'Accept invitation',
    accountNotProved:
      'This link cannot be used for the account that you already have. Please open the link in the newest ' +
      'invitation e-mail that we sent you.',
    welcome: (organization: string) => `Welcome to ${organization}`,
    accepted: (email: string) =>
      `You are now a member. Sign in as ${email} with the password that you just chose.`,
    signInTo: (site: string) => `Sign in to ${site}`,
  },
}

/** The meaning of each permission. Each text continues "Sie können". */
const abilitiesDe: Readonly<Record<Permission, string>> = {
  access_site: 'Apps, Tabellen und Datensätze ansehen',
  view_site: 'die Site sehen',
  change_site: 'Datensätze anlegen, ändern und löschen',
  delete_site: 'Apps und Tabellen löschen',
  manage_site: 'Apps, Tabellen und Geheimnisse verwalten',
  manage_site_users: 'verwalten, wer Zugang hat',
  admin_site: 'alles tun',
}

const de: typeof en = {
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
        ? `Auf der Site ${slug} können Sie ${permissions.map((each) => abilitiesDe[each]).join('; ')}.`
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

export const invitationTexts = defineTexts({ en, de })

/** The texts in one language. */
export type InvitationTexts = (typeof invitationTexts)['en']
