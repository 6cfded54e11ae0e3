/** Definitions of settings: names, value types, defaults and sections, and how changes are applied. */
import { isDeepStrictEqual } from 'node:util';
import type { ValueBranch } from '../../lib/values/value-tree.ts';

/** Null marks a removed section. */
export type SettingValue = string | number | boolean | ValueBranch | null;

/** By the path in the document: `settings.charset`. Absent settings have their default. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** A change of one setting or of a whole section; undefined clears it. */
export interface SettingChange {
  readonly path: string;
  readonly value: Exclude<SettingValue, null> | undefined;
}

export type SettingsDraft = readonly SettingChange[];

export type Setting = SettingOfKind & {
  /** Why the setting has no effect, as a clause; absent for a setting with an effect. */
  readonly unheeded?: string;
};

type SettingOfKind =
  | {
      readonly kind: 'text';
      readonly default?: string;
      /** Returns a description of valid values for an invalid text. */
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
  /** Elements of one name; of any name without `itemName`. */
  | { readonly kind: 'parts'; readonly itemName?: string; readonly default?: ValueBranch }
  | { readonly kind: 'map' }
  /** A read-only value of the server; values that clients send back are ignored. */
  | { readonly kind: 'server'; readonly type: 'integer' | 'string' }
  | {
      readonly kind: 'section';
      readonly settings: Settings;
      /** Whether the section can be removed as a whole. */
      readonly isRemovable?: true;
    };

export type Settings = Readonly<Record<string, Setting>>;

/** Larger numbers exceed the integer range of clients. */
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
/** Stored as sent. */
export const tree: Setting = { kind: 'parts' };

export const section = (settings: Settings): Setting => ({ kind: 'section', settings });

/**
 * Marks a setting that is stored for compatibility but has no effect; setting it produces a warning with the reason.
 */
export const markUnsupported = (setting: Setting, why: string): Setting => ({ ...setting, unheeded: why });

/** Returns a warning for each setting without effect that a client sets to another value than its default. */
export function collectUnsupportedWarnings(settings: Settings, draft: SettingsDraft): readonly string[] {
  return draft.flatMap(({ path, value }) => {
    const why = findUnsupportedReason(settings, path);
    const isSaid = why !== undefined && value !== undefined && !isEmptyValue(value);
    return isSaid && !isDeepStrictEqual(value, getDefaultValue(findSetting(settings, path)))
      ? [`The setting '${path}' is stored but has no effect: ${why}.`]
      : [];
  });
}

function isEmptyValue(value: Exclude<SettingValue, null>): boolean {
  return value === '' || (typeof value === 'object' && value.members.length === 0 && (value.text ?? '') === '');
}

/** Returns the reason of the setting itself, or of a section around it. */
function findUnsupportedReason(settings: Settings, path: string): string | undefined {
  const [first = '', ...rest] = path.split('.');
  const setting = Object.hasOwn(settings, first) ? settings[first] : undefined;
  if (setting?.unheeded !== undefined || rest.length === 0) return setting?.unheeded;
  return setting?.kind === 'section' ? findUnsupportedReason(setting.settings, rest.join('.')) : undefined;
}

/**
 * Returns the values after a change. Default values are not stored, so that sending back a read document changes
 * nothing.
 */
export function mergeSettingValues(settings: Settings, values: SettingValues, draft: SettingsDraft): SettingValues {
  const changed = new Map(Object.entries(values));
  for (const { path, value } of draft) {
    for (const known of [...changed.keys()]) {
      const isInside = known === path || known.startsWith(`${path}.`);
      // Setting a member restores its removed section.
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
