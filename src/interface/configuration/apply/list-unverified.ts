/** Lists the resources of a document that are stored without verification. */
import { cascadedLayerKinds } from '../../../catalog/kinds/cascaded-layer.ts';
import { coverageKind } from '../../../catalog/kinds/coverage.ts';
import { coverageStoreKind } from '../../../catalog/kinds/coverage-store.ts';
import { featureTypeKind } from '../../../catalog/kinds/feature-type.ts';
import { styleKind } from '../../../catalog/kinds/style.ts';
import { UNVERIFIED, type Unverified } from '../../../catalog/kinds/unverified.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import { createRecordPaths } from '../../../operations/doctor/check-records.ts';
import type { RecordBase, RecordKind } from '../../../records/record.ts';
import { findRestPath } from '../../changes/record-path.ts';
import type { Services } from '../../common/services.ts';
import type { ConfigurationDocument } from '../document/document.ts';

export interface UnverifiedResource extends Unverified {
  readonly path: string;
}

type UnverifiedRecord = RecordBase & { readonly kind: string; readonly unverified?: Unverified };

const kinds: readonly RecordKind<UnverifiedRecord>[] = [
  styleKind,
  coverageStoreKind,
  featureTypeKind,
  coverageKind,
  cascadedLayerKinds.WMS,
  cascadedLayerKinds.WMTS,
] as readonly unknown[] as readonly RecordKind<UnverifiedRecord>[];

/** In path order. */
export async function listUnverified(
  { catalog, recordKinds }: Pick<Services, 'catalog' | 'recordKinds'>,
  { resources }: Pick<ConfigurationDocument, 'resources'>,
): Promise<readonly UnverifiedResource[]> {
  const paths = createRecordPaths(catalog, recordKinds);
  const found: UnverifiedResource[] = [];
  for (const kind of kinds) {
    // Most servers have none, and an index tells so at once.
    if ((await catalog.findByKey(kind, UNVERIFIED, UNVERIFIED, 1)).length === 0) continue;
    for await (const records of catalog.readAll(kind)) {
      for (const record of records) {
        const { unverified } = record;
        const path = unverified && findRestPath(await paths.getPath(record));
        if (path != null && unverified !== undefined && resources.has(path)) found.push({ path, ...unverified });
        const others = yieldIfDue();
        if (others !== undefined) await others;
      }
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

export function formatUnverified({ path, code, message }: UnverifiedResource): string {
  return JSON.stringify({ path, code, message });
}
