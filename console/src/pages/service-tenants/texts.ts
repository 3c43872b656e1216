/** The texts of tenants. */
import { defineTexts } from '../../texts/define.ts'

type States = Readonly<Record<'active' | 'suspended' | 'deleted', string>>

export const tenantsTexts = defineTexts({
  en: {
    title: 'Tenants',
    hint: 'Organizations with their sites. Owners change their own; superusers change all.',
    search: 'Find an organization',
    noOrganizations: 'There is no organization yet',
    noMatch: 'No organization has this name.',
    noOrganizationsText: 'An organization is a customer: it has members and sites.',
    more: (shown: number, total: number) => `${shown} of ${total} are shown. Find others by their name.`,
    organizationName: 'Name of the new organization',
    createOrganization: 'Create an organization',
    siteName: 'Name of the new site',
    slug: 'Slug (optional)',
    slugText: 'Part of its address. Without one, it is made from the name.',
    environment: 'Environment',
    createSite: 'Create a site',
    created: (name: string) => `"${name}" was created.`,
    noSites: 'This organization has no site.',
    site: 'Site',
    state: 'State',
    states: { active: 'active', suspended: 'suspended', deleted: 'deleted' } as States,
    actions: 'Actions',
    suspend: 'Suspend',
    resume: 'Resume',
    delete: 'Delete …',
    deleteOrganization: 'Delete the organization …',
    restore: 'Restore',
    of: (action: string, name: string) => `${action}: ${name}`,
    erased: 'Erased on',
    confirmTitle: (name: string) => `Delete ${name}`,
    confirmSite:
      'The site answers 404 at once. It can be restored until it is erased. After that, its ' +
      'tables, secrets and keys are permanently gone.',
    confirmOrganization:
      'The organization can be restored until it is erased, with its memberships, groups and invitations.',
    type: (slug: string) => `Type ${slug} to continue`,
    deleteNow: 'Delete',
    deletedOrganization: 'This organization is deleted.',
  },
  de: {
    title: 'Mandanten',
    hint: 'Organisationen mit ihren Sites. Eigentümer ändern ihre eigenen, Superuser alle.',
    search: 'Organisation suchen',
    noOrganizations: 'Es gibt noch keine Organisation',
    noMatch: 'Keine Organisation heißt so.',
    noOrganizationsText: 'Eine Organisation ist ein Kunde: Sie hat Mitglieder und Sites.',
    more: (shown: number, total: number) =>
      `${shown} von ${total} sind zu sehen. Andere finden Sie nach ihrem Namen.`,
    organizationName: 'Name der neuen Organisation',
    createOrganization: 'Organisation anlegen',
    siteName: 'Name der neuen Site',
    slug: 'Slug (freiwillig)',
    slugText: 'Teil ihrer Adresse. Ohne Angabe entsteht er aus dem Namen.',
    environment: 'Umgebung',
    createSite: 'Site anlegen',
    created: (name: string) => `„${name}“ ist angelegt.`,
    noSites: 'Diese Organisation hat keine Site.',
    site: 'Site',
    state: 'Zustand',
    states: { active: 'aktiv', suspended: 'stillgelegt', deleted: 'gelöscht' },
    actions: 'Was möglich ist',
    suspend: 'Stilllegen',
    resume: 'Fortsetzen',
    delete: 'Löschen …',
    deleteOrganization: 'Organisation löschen …',
    restore: 'Wiederherstellen',
    of: (action: string, name: string) => `${action}: ${name}`,
    erased: 'Endgültig weg',
    confirmTitle: (name: string) => `${name} löschen`,
    confirmSite:
      'Die Site antwortet sofort mit 404. Bis zur Frist kann sie wiederhergestellt werden. Danach ' +
      'sind Tabellen, Geheimnisse und Schlüssel endgültig weg.',
    confirmOrganization:
      'Bis zur Frist kann die Organisation wiederhergestellt werden, mit Mitgliedern, Gruppen und ' +
      'Einladungen.',
    type: (slug: string) => `Geben Sie ${slug} ein, um fortzufahren`,
    deleteNow: 'Löschen',
    deletedOrganization: 'Diese Organisation ist gelöscht.',
  },
})
