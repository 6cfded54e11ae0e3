import type { LayerEntry } from '../../../rest/types.ts';
import { path } from '../../../shell/router.ts';

/** A layer of a listing. */
export interface LayerRow {
  readonly workspace: string;
  /** Without its workspace. */
  readonly name: string;
  readonly entry: LayerEntry;
}

/** Listings of one workspace name their layers without it. */
export function toRow(entry: LayerEntry, workspace: string | undefined): LayerRow {
  const home = workspace ?? entry.workspace ?? entry.name.slice(0, entry.name.indexOf(':'));
  return { entry, workspace: home, name: workspace === undefined ? entry.name.slice(home.length + 1) : entry.name };
}

/** The address of the map of a layer. */
export function toMapPath({ workspace, name }: { readonly workspace: string; readonly name: string }): string {
  return path`w/${workspace}/layers/${name}`;
}
