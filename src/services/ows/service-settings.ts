/** The settings that all services share, with those of the server or workspace around them. */

import { getDefaultValue, type SettingValue, type SettingValues } from '../../catalog/kinds/setting.ts';
import { SETTINGS, workspaceSettingsKind } from '../../catalog/kinds/settings-records.ts';
import { type ServiceName, serviceSettings } from '../../catalog/settings/service-settings.ts';
import { readGlobalSettings } from '../../catalog/settings/settings.ts';
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import { listMembersNamed } from '../../lib/values/value-tree.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Workspace } from '../../records/workspace.ts';

/** The metadata of a service. */
export interface ServiceFacts {
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly fees: string;
  readonly accessConstraints: string;
  /** A page about the service; empty for none. */
  readonly onlineResource: string;
}

/** Reads values of settings, with defaults applied. */
export interface ReadSettings {
  value(name: string): SettingValue | undefined;
  text(name: string): string;
  texts(name: string): readonly string[];
  /** Returns Infinity for 0, which means no limit. */
  limit(name: string): number;
  /** The CRS codes that capabilities list; empty if not configured. */
  readonly crsCodes: readonly string[];
  readonly facts: ServiceFacts;
}

export function readServiceSettings(service: ServiceName, values: SettingValues): ReadSettings {
  const value = (name: string): SettingValue | undefined =>
    values[name] ?? getDefaultValue(serviceSettings[service][name]);
  const text = (name: string): string => String(value(name) ?? '');
  const texts = (name: string): readonly string[] => toTexts(value(name));
  return {
    value,
    text,
    texts,
    limit: (name) => Number(value(name) ?? 0) || Number.POSITIVE_INFINITY,
    crsCodes: [...new Set(texts('srs').flatMap((each) => parseCrsCode(each) ?? []))],
    facts: {
      title: text('title'),
      abstract: text('abstrct'),
      keywords: texts('keywords'),
      fees: text('fees'),
      accessConstraints: text('accessConstraints'),
      onlineResource: text('onlineResource'),
    },
  };
}

function toTexts(value: SettingValue | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return listMembersNamed(value, 'string').flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
}

/** The publication settings of the server, or of a workspace with settings of its own. */
export interface PublicationSettings {
  /** The number of decimals of coordinates. */
  readonly decimals: number;
  readonly contact: Contact;
}

/** Empty texts for unknown values. */
export interface Contact {
  readonly organization: string;
  readonly person: string;
  readonly position: string;
  readonly phone: string;
  readonly facsimile: string;
  readonly email: string;
  readonly deliveryPoint: string;
  readonly city: string;
  readonly administrativeArea: string;
  readonly postalCode: string;
  readonly country: string;
  /** The kind of address, such as `postal`. */
  readonly addressType: string;
  /** A page about the contact or the published data. */
  readonly onlineResource: string;
}

const DECIMALS = 8;

export async function loadPublicationSettings(
  catalog: CatalogReader,
  workspace: Workspace | undefined,
): Promise<PublicationSettings> {
  const own = workspace && (await catalog.find(workspaceSettingsKind, workspace.id, SETTINGS));
  const values = own?.values ?? selectSection((await readGlobalSettings(catalog)).values, 'settings.');
  const readContactField = (name: string): string => String(values[`contact.${name}`] ?? '');
  const decimals = values['numDecimals'];
  return {
    decimals: typeof decimals === 'number' ? decimals : DECIMALS,
    contact: {
      organization: readContactField('contactOrganization'),
      person: readContactField('contactPerson'),
      position: readContactField('contactPosition'),
      phone: readContactField('contactVoice'),
      facsimile: readContactField('contactFacsimile'),
      email: readContactField('contactEmail') || readContactField('addressElectronicMailAddress'),
      deliveryPoint: readContactField('addressDeliveryPoint') || readContactField('address'),
      city: readContactField('addressCity'),
      administrativeArea: readContactField('addressState'),
      postalCode: readContactField('addressPostalCode'),
      country: readContactField('addressCountry'),
      addressType: readContactField('addressType'),
      onlineResource: readContactField('onlineResource') || String(values['onlineResource'] ?? ''),
    },
  };
}

function selectSection(values: SettingValues, section: string): SettingValues {
  const found = Object.entries(values).filter(([path]) => path.startsWith(section));
  return Object.fromEntries(found.map(([path, value]) => [path.slice(section.length), value]));
}
