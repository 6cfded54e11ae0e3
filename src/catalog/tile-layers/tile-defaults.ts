/** The tile settings of layers without their own: settings of WMTS, for the whole server. */
import { problem } from '../../lib/problems/problem.ts';
import { listMembersNamed } from '../../lib/values/value-tree.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { findSettingFaults, MAX_GUTTER_PIXELS, MAX_META_TILES } from '../../tiles/settings/setting-faults.ts';
import type { TileSettings } from '../../tiles/settings/tile-settings.ts';
import { flag, integer, type Settings, type SettingValues, texts } from '../kinds/setting.ts';
import { serviceSettingsKind } from '../kinds/settings-records.ts';

/** Columns and rows of tiles that are drawn together. */
const USUAL_META_TILES = 4;

/** The least special value of lifetimes. */
const LEAST_SECONDS = -4;

/** The maximum of the option --tile-cache-mb, which the setting replaces. */
const MAX_CACHE_MB = 100_000_000;

const BYTES_PER_MB = 1_048_576;

export const tileDefaultSettings: Settings = {
  cacheLayersByDefault: flag(true),
  mimeFormats: texts,
  metaTilingX: integer(USUAL_META_TILES, 1, MAX_META_TILES),
  metaTilingY: integer(USUAL_META_TILES, 1, MAX_META_TILES),
  gutter: integer(0, 0, MAX_GUTTER_PIXELS),
  expireCache: integer(0, LEAST_SECONDS),
  expireClients: integer(0, LEAST_SECONDS),
  directWMSIntegrationEnabled: flag(false),
  tileCacheMb: integer(undefined, 0, MAX_CACHE_MB),
};

export interface TileDefaults {
  readonly settings: Required<
    Pick<TileSettings, 'enabled' | 'metaWidthHeight' | 'gutter' | 'expireCache' | 'expireClients'>
  > &
    Pick<TileSettings, 'mimeFormats'>;
  /** Whether WMS answers from the tile cache if a request contains tiled=true. */
  readonly isIntegratedInWms: boolean;
  /** The maximum size of the tile cache of each node; undefined for that of the option of the node. */
  readonly maxCacheBytes: number | undefined;
  /** 0 if no setting was changed. */
  readonly version: number;
}

export async function readTileDefaults(catalog: CatalogReader): Promise<TileDefaults> {
  const kept = await catalog.find(serviceSettingsKind, null, 'wmts');
  return toTileDefaults(kept?.values ?? {}, kept?.version ?? 0);
}

function toTileDefaults(values: SettingValues, version: number): TileDefaults {
  const readNumber = (name: string, byDefault: number) => {
    const value = values[name];
    return typeof value === 'number' ? value : byDefault;
  };
  const formats = listTexts(values, 'mimeFormats');
  return {
    settings: {
      enabled: values['cacheLayersByDefault'] !== false,
      ...(formats.length === 0 ? {} : { mimeFormats: formats }),
      metaWidthHeight: [readNumber('metaTilingX', USUAL_META_TILES), readNumber('metaTilingY', USUAL_META_TILES)],
      gutter: readNumber('gutter', 0),
      expireCache: readNumber('expireCache', 0),
      expireClients: readNumber('expireClients', 0),
    },
    maxCacheBytes: typeof values['tileCacheMb'] === 'number' ? values['tileCacheMb'] * BYTES_PER_MB : undefined,
    isIntegratedInWms: values['directWMSIntegrationEnabled'] === true,
    version,
  };
}

function listTexts(values: SettingValues, name: string): readonly string[] {
  const list = values[name];
  if (typeof list !== 'object' || list === null) return [];
  return listMembersNamed(list, 'string').flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
}

/** Rejects settings of WMTS with invalid defaults. */
export function checkTileDefaults(values: SettingValues, isInWorkspace: boolean): void {
  const own = Object.keys(tileDefaultSettings).find((name) => values[name] !== undefined);
  const faults =
    isInWorkspace && own !== undefined
      ? [{ field: own, message: 'belongs to the settings of the server, not of a workspace' }]
      : findSettingFaults(toTileDefaults(values, 0).settings);
  const complaints = faults.map(({ field, message }) => ({ field: `wmts.${field}`, message }));
  const [first] = complaints;
  if (first !== undefined) throw problem('document-invalid', { complaints, field: first.field });
}
