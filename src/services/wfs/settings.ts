/** What the settings of the WFS, and of the server or a workspace around it, say about its answers. */
import { type ServiceName, serviceSettings } from '../../catalog/settings/service-settings.ts';
import { defaultOf, type SettingValue, type SettingValues } from '../../catalog/settings/setting.ts';
import { readGlobalSettings } from '../../catalog/settings/settings.ts';
import { SETTINGS, workspaceSettingsKind } from '../../catalog/settings/settings-records.ts';
import { parseCrsCode } from '../../data/crs/crs-code.ts';
import { membersNamed } from '../../lib/value-tree.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { Contact, ServiceFacts } from './capabilities.ts';

export interface WfsSettings {
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly fees: string;
  readonly accessConstraints: string;
  readonly onlineResource: string;
  /** No answer has more features than this. */
  readonly maxFeatures: number;
  /** Whether the number of features that fit is told although an answer would not have so many. */
  readonly hitsIgnoreMaxFeatures: boolean;
  /** The only formats that are offered, by any of their names; undefined for all. */
  readonly outputTypes: readonly string[] | undefined;
  /** Whether nothing may be changed through it. */
  readonly isReadOnly: boolean;
  /** Codes of the systems that lists offer beside that of a type. */
  readonly otherCrs: readonly string[];
}

const WFS: ServiceName = 'wfs';

/** Everything can be had in these, and hardly anybody asks for others: a list of all there are would fill megabytes. */
const usualCrs = ['EPSG:4326', 'EPSG:3857'];

export function wfsSettings(values: SettingValues): WfsSettings {
  const value = (name: string): SettingValue | undefined => values[name] ?? defaultOf(serviceSettings[WFS][name]);
  const text = (name: string): string => String(value(name) ?? '');
  const texts = (name: string): readonly string[] => textsOf(value(name));
  const listed = texts('srs').flatMap((each) => parseCrsCode(each) ?? []);
  return {
    title: text('title'),
    abstract: text('abstrct'),
    keywords: texts('keywords'),
    fees: text('fees'),
    accessConstraints: text('accessConstraints'),
    onlineResource: text('onlineResource'),
    maxFeatures: Number(value('maxFeatures') ?? 0) || Number.POSITIVE_INFINITY,
    hitsIgnoreMaxFeatures: value('hitsIgnoreMaxFeatures') === true,
    outputTypes: value('getFeatureOutputTypeCheckingEnabled') === true ? texts('getFeatureOutputTypes') : undefined,
    isReadOnly: value('serviceLevel') === 'BASIC',
    otherCrs: listed.length === 0 ? usualCrs : [...new Set(listed)],
  };
}

function textsOf(value: SettingValue | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return membersNamed(value, 'string').flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
}

/** What the server, or a workspace that has settings of its own, says of everything that it publishes. */
export interface PublicationSettings {
  /** Digits behind the point of coordinates. */
  readonly decimals: number;
  readonly contact: Contact;
}

const DECIMALS = 8;

export async function publicationSettings(
  catalog: CatalogReader,
  workspace: Workspace | undefined,
): Promise<PublicationSettings> {
  const own = workspace && (await catalog.find(workspaceSettingsKind, workspace.id, SETTINGS));
  const values = own?.values ?? inside((await readGlobalSettings(catalog)).values, 'settings.');
  const contact = (name: string): string => String(values[`contact.${name}`] ?? '');
  const decimals = values['numDecimals'];
  return {
    decimals: typeof decimals === 'number' ? decimals : DECIMALS,
    contact: {
      organization: contact('contactOrganization'),
      person: contact('contactPerson'),
      position: contact('contactPosition'),
      phone: contact('contactVoice'),
      facsimile: contact('contactFacsimile'),
      email: contact('contactEmail') || contact('addressElectronicMailAddress'),
      deliveryPoint: contact('addressDeliveryPoint') || contact('address'),
      city: contact('addressCity'),
      administrativeArea: contact('addressState'),
      postalCode: contact('addressPostalCode'),
      country: contact('addressCountry'),
    },
  };
}

function inside(values: SettingValues, section: string): SettingValues {
  const found = Object.entries(values).filter(([path]) => path.startsWith(section));
  return Object.fromEntries(found.map(([path, value]) => [path.slice(section.length), value]));
}

export function serviceFacts(settings: WfsSettings, { contact }: PublicationSettings): ServiceFacts {
  const { title, abstract, keywords, fees, accessConstraints, onlineResource } = settings;
  return { title, abstract, keywords, fees, accessConstraints, onlineResource, contact };
}
