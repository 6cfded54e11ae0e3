/** What settings are made of: names with kinds of values, defaults and sections, and how a change of them is applied. */
import { isDeepStrictEqual } from 'node:util';
import type { ValueBranch } from '../../lib/values/value-tree.ts';

/** Null marks a section that was taken away. */
export type SettingValue = string | number | boolean | ValueBranch | null;

/** By the path below the document: `settings.charset`. What is not there has its default. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** What a client said of one setting, or of a whole section; undefined clears it. */
export interface SettingChange {
  readonly path: string;
  readonly value: Exclude<SettingValue, null> | undefined;
}

export type SettingsDraft = readonly SettingChange[];

export type Setting = SettingOfKind & {
  /** Why it is kept and shown but changes nothing here, as half a sentence; absent for one that has its effect. */
  readonly unheeded?: string;
};

type SettingOfKind =
  | {
      readonly kind: 'text';
      readonly default?: string;
      /** What was expected instead, where the text will not do. */
      readonly refuse?: (text: string) => string | undefined;
    }
  | { readonly kind: 'flag'; readonly default?: boolean; readonly refuse?: (value: boolean) => string | undefined }
  | {
      readonly kind: 'number';
      readonly default?: number;
      readonly isWhole: boolean;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'choice'; readonly default?: string; readonly values: readonly string[] }
  /** Elements of one name; of any other names where there is no `itemName`. */
  | { readonly kind: 'parts'; readonly itemName?: string; readonly default?: ValueBranch }
  | { readonly kind: 'map' }
  /** Something only the server tells; what clients send there is ignored, as they read it here. */
  | { readonly kind: 'server'; readonly type: 'integer' | 'string' }
  | {
      readonly kind: 'section';
      readonly settings: Settings;
      /** Whether it can be taken away as a whole. */
      readonly isRemovable?: true;
    };

export type Settings = Readonly<Record<string, Setting>>;

/** Larger numbers mean nothing to any client. */
const MAX_INTEGER = 2_147_483_647;

export const text = (byDefault?: string): Setting => ({
  kind: 'text',
  ...(byDefault === undefined ? {} : { default: byDefault }),
});

export const flag = (byDefault?: boolean): Setting => ({
  kind: 'flag',
  ...(byDefault === undefined ? {} : { default: byDefault }),
});

export const integer = (byDefault?: number, least = 0, most = MAX_INTEGER): Setting => ({
  kind: 'number',
  isWhole: true,
  least,
  most,
  ...(byDefault === undefined ? {} : { default: byDefault }),
});

export const choice = (values: readonly string[], byDefault?: string): Setting => ({
  kind: 'choice',
  values,
  ...(byDefault === undefined ? {} : { default: byDefault }),
});

export const texts: Setting = { kind: 'parts', itemName: 'string' };
export const map: Setting = { kind: 'map' };
/** Kept as it comes. */
export const tree: Setting = { kind: 'parts' };

export const section = (settings: Settings): Setting => ({ kind: 'section', settings });

/** Kept for clients that know it from elsewhere; whoever sets it is told that it changes nothing, and why. */
export const markUnsupported = (setting: Setting, why: string): Setting => ({ ...setting, unheeded: why });

/** A sentence for each that a client has set to something else than its default and that changes nothing. */
export function collectUnsupportedWarnings(settings: Settings, draft: SettingsDraft): readonly string[] {
  return draft.flatMap(({ path, value }) => {
    const why = findUnsupportedReason(settings, path);
    const isSaid = why !== undefined && value !== undefined && !isEmptyValue(value);
    return isSaid && !isDeepStrictEqual(value, getDefaultValue(findSetting(settings, path)))
      ? [`The setting '${path}' is kept without effect: ${why}.`]
      : [];
  });
}

function isEmptyValue(value: Exclude<SettingValue, null>): boolean {
  return value === '' || (typeof value === 'object' && value.members.length === 0 && (value.text ?? '') === '');
}

/** That of the setting, or of a section around it. */
function findUnsupportedReason(settings: Settings, path: string): string | undefined {
  const [first = '', ...rest] = path.split('.');
  const setting = Object.hasOwn(settings, first) ? settings[first] : undefined;
  if (setting?.unheeded !== undefined || rest.length === 0) return setting?.unheeded;
  return setting?.kind === 'section' ? findUnsupportedReason(setting.settings, rest.join('.')) : undefined;
}

/** The values after a change. Those that are the default are not kept, so that sending back what was read changes nothing. */
export function mergeSettingValues(settings: Settings, values: SettingValues, draft: SettingsDraft): SettingValues {
  const changed = new Map(Object.entries(values));
  for (const { path, value } of draft) {
    for (const known of [...changed.keys()]) {
      const isInside = known === path || known.startsWith(`${path}.`);
      // What something is put into is there again.
      const isAround = path.startsWith(`${known}.`) && value !== undefined;
      if (isInside || isAround) {
        changed.delete(known);
      }
    }
    const setting = findSetting(settings, path);
    if (value === undefined) {
      if (setting?.kind === 'section' && setting.isRemovable === true) {
        changed.set(path, null);
      }
    } else if (!isDeepStrictEqual(value, getDefaultValue(setting))) {
      changed.set(path, value);
    }
  }
  return Object.fromEntries(changed);
}

export function getDefaultValue(setting: Setting | undefined): SettingValue | undefined {
  return setting !== undefined && 'default' in setting ? setting.default : undefined;
}

function findSetting(settings: Settings, path: string): Setting | undefined {
  const [first = '', ...rest] = path.split('.');
  const setting = Object.hasOwn(settings, first) ? settings[first] : undefined;
  if (rest.length === 0) {
    return setting;
  }
  return setting?.kind === 'section' ? findSetting(setting.settings, rest.join('.')) : undefined;
}
