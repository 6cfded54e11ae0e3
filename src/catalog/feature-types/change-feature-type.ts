/** Changes a published type: applies the fields of the client, and recomputes the fields that depend on the data. */

import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import type { Catalog } from '../../records/catalog.ts';
import { resolveNewName } from '../../records/names.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import {
  defaultServiceSettings,
  type FeatureType,
  type FeatureTypeDraft,
  featureTypeKind,
  SRS_FIELD,
} from '../kinds/feature-type.ts';
import {
  keepAttributeAnnotations,
  needsNativeAttributes,
  type PublishedAttribute,
  resolveAttributes,
} from '../kinds/published-attribute.ts';
import { checkSameStore, mergeResourceFields, mergeSettings, mergeValue, resolveSrs } from '../kinds/resource-draft.ts';
import { verifyOrReport } from '../kinds/unverified.ts';
import { checkDimensions } from '../resources/dimensions.ts';
import { type EmptiedLatLonBox, mergeLatLonBounds, shouldComputeNativeBounds } from '../resources/resource-bounds.ts';
import { updateResource } from '../resources/write-resource.ts';
import type { StoreData } from '../stores/store-data.ts';
import { collectFilterWarnings, validateCqlFilter } from './cql-filter.ts';
import { type FeatureTypeLocator, type FeatureTypeView, findFeatureType } from './feature-type-view.ts';
import { featureTypeNameRule } from './feature-types.ts';
import { findNativeCrs } from './publish-feature-type.ts';
import { completeType, mergeUnverifiedDraft } from './unverified-type.ts';
import { findSqlView } from './virtual-table.ts';

export type Recalculation = 'nativebbox' | 'latlonbbox' | 'attributes';

export const recalculations: readonly Recalculation[] = ['nativebbox', 'latlonbbox', 'attributes'];

export interface FeatureTypeChange {
  readonly data: StoreData;
  /** The fields to recompute; null recomputes those that the change affects. */
  readonly recalculate: ReadonlySet<Recalculation> | null;
  readonly emptiedLatLonBox: EmptiedLatLonBox;
  readonly precondition: Precondition;
}

export interface FeatureTypeChangeRequest extends FeatureTypeChange {
  readonly draft: FeatureTypeDraft;
  /** Set to accept a change that cannot be verified against the data. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

export async function changeFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: FeatureTypeLocator & { readonly name: string },
  options: FeatureTypeChangeRequest,
): Promise<{ readonly warnings: readonly string[] }> {
  const { draft: sent } = options;
  for (;;) {
    const before = await findFeatureType(catalog, place, place.name);
    const draft = await validateCqlFilter(await resolveDraftSrs(sent, before.type), before.type.cqlFilter);
    checkSameStore(before, draft);
    checkPrecondition(options.precondition, before.version);
    const source = resolveTypeSource(before.type, draft);
    // Read the data outside the transaction, so that a slow database does not block other changes.
    const merge = async () => {
      const described = needsData(before.type, draft, options)
        ? await describeSource(before, source, options.data)
        : undefined;
      const current = described === undefined ? before.type : completeType(before.type, described);
      return mergeTypeDraft(current, draft, described, options);
    };
    const changed =
      options.unverified === undefined
        ? await merge()
        : await mergeOrAccept(before.type, draft, { ...options, unverified: options.unverified }, merge);
    const what = `change feature type ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const view = await findFeatureType(transaction, place, place.name);
      checkPrecondition(options.precondition, view.version);
      // Another request has changed the type: retry with the current version.
      const isOutdated = view.type.id !== before.type.id || view.type.version !== before.type.version;
      if (!isOutdated) {
        await updateResource(transaction, featureTypeKind, view.workspace, { from: view.type, to: changed });
      }
      return !isOutdated;
    });
    if (isDone) {
      return { warnings: await collectFilterWarnings(draft, changed) };
    }
  }
}

/** Merges the fields of the client alone if they cannot be verified. */
async function mergeOrAccept(
  type: FeatureType,
  draft: FeatureTypeDraft,
  options: FeatureTypeChange & { readonly unverified: UnverifiedPolicy },
  merge: () => Promise<FeatureType>,
): Promise<FeatureType> {
  const isNewCrs = type.unverified !== undefined && draft.nativeCRS !== undefined;
  if (!isNewCrs && !needsData(type, draft, options)) return merge();
  const outcome = await verifyOrReport(options.unverified, merge);
  if ('verified' in outcome) return outcome.verified;
  const source = resolveTypeSource(type, draft);
  const names = {
    name: resolveNewName(type.name, draft.name, featureTypeNameRule),
    nativeName: 'query' in source ? source.query.name : source.nativeName,
  };
  return mergeUnverifiedDraft(type, draft, { ...names, unverified: outcome.unverified });
}

/** Resolves only a new reference system: the published one may be a system that only the database defines. */
async function resolveDraftSrs(draft: FeatureTypeDraft, { srs }: FeatureType): Promise<FeatureTypeDraft> {
  return draft.srs == null || draft.srs === srs ? draft : { ...draft, srs: await resolveSrs(draft.srs, SRS_FIELD) };
}

function needsData(type: FeatureType, draft: FeatureTypeDraft, { recalculate }: FeatureTypeChange): boolean {
  return (
    isSourceChanged(type, draft) ||
    shouldComputeBounds(type, draft, recalculate) ||
    (recalculate?.has('attributes') ?? false) ||
    draft.attributes === null ||
    needsNativeAttributes(draft.attributes ?? [], type.attributes)
  );
}

function shouldComputeBounds(
  type: FeatureType,
  draft: FeatureTypeDraft,
  recalculate: ReadonlySet<Recalculation> | null,
): boolean {
  const isOtherData = isSourceChanged(type, draft);
  return shouldComputeNativeBounds(type, draft, { isOtherData, asked: recalculate?.has('nativebbox') });
}

/** The source of the rows after a change: a table of the data, or a query of the client. */
type TypeSource = { readonly nativeName: string } | { readonly query: SqlView };

function resolveTypeSource(type: FeatureType, draft: FeatureTypeDraft): TypeSource {
  const query = findSqlView(mergeValue(draft.metadata, type.metadata) ?? {});
  return query === undefined ? { nativeName: draft.nativeName ?? type.nativeName } : { query };
}

function isSourceChanged(type: FeatureType, draft: FeatureTypeDraft): boolean {
  return !isDeepStrictEqual(resolveTypeSource(type, draft), resolveTypeSource(type, {}));
}

async function describeSource(
  view: FeatureTypeView,
  source: TypeSource,
  data: StoreData,
): Promise<FeatureTypeDescription> {
  if ('query' in source) {
    return data.describeView(view, source.query);
  }
  const described = await data.describe(view, source.nativeName);
  if (described === undefined) {
    throw problem('native-type-unknown', { name: source.nativeName, store: view.store.name });
  }
  return described;
}

async function mergeTypeDraft(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  { recalculate, emptiedLatLonBox }: FeatureTypeChange,
): Promise<FeatureType> {
  const source = resolveTypeSource(type, draft);
  const nativeBounds = shouldComputeBounds(type, draft, recalculate)
    ? (described?.bounds ?? null)
    : mergeValue(draft.nativeBounds, type.nativeBounds);
  const changed: FeatureType = {
    ...type,
    ...mergeSettings(draft, type, defaultServiceSettings),
    ...mergeResourceFields(type, draft),
    ...mergeReferenceSystem(type, draft, described, recalculate),
    name: resolveNewName(type.name, draft.name, featureTypeNameRule),
    nativeName: 'query' in source ? source.query.name : source.nativeName,
    nativeBounds,
    tileZooms: described === undefined ? type.tileZooms : described.tileZooms,
    attributes: mergeAttributeDrafts(type, draft, described, recalculate?.has('attributes') ?? false),
  };
  const isUntouched =
    isDeepStrictEqual(changed.metadata, type.metadata) && isDeepStrictEqual(changed.attributes, type.attributes);
  // Metadata that a change of the data has made invalid must not block other changes.
  if (!isUntouched) {
    checkDimensions('featureType', changed);
  }
  const latLonBounds = await mergeLatLonBounds(type, changed, draft, {
    isOtherData: isSourceChanged(type, draft),
    asked: recalculate?.has('latlonbbox'),
    emptied: emptiedLatLonBox,
  });
  return { ...changed, latLonBounds };
}

/**
 * New data or a recomputed box brings its own reference system; the declared one follows if it equalled that of the old
 * data.
 */
function mergeReferenceSystem(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  recalculate: ReadonlySet<Recalculation> | null,
): Pick<FeatureType, 'srs' | 'nativeCrs'> {
  const srs = mergeValue(draft.srs, type.srs);
  const nativeCrs = described === undefined ? {} : findNativeCrs(described);
  // A table without rows may no longer report its reference system.
  const isAnew = shouldComputeBounds(type, draft, recalculate) && Object.keys(nativeCrs).length > 0;
  if (described === undefined || !(isSourceChanged(type, draft) || isAnew)) {
    return { srs, nativeCrs: type.nativeCrs };
  }
  const isDerived = srs === type.srs && srs === (type.nativeCrs.code ?? null);
  return { srs: isDerived ? (nativeCrs.code ?? null) : srs, nativeCrs };
}

function mergeAttributeDrafts(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  isReread: boolean,
): readonly PublishedAttribute[] {
  if (described !== undefined && (isReread || draft.attributes === null)) {
    return described.attributes;
  }
  if (described !== undefined && isSourceChanged(type, draft)) {
    const listAttributeNames = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    // An attribute list of the previous data that a client sends back unchanged is ignored.
    const isOld = isDeepStrictEqual(listAttributeNames(draft.attributes ?? []), listAttributeNames(type.attributes));
    return draft.attributes === undefined || isOld
      ? keepAttributeAnnotations(described.attributes, type.attributes)
      : resolveAttributes(draft.attributes ?? [], described.attributes, type.name);
  }
  if (draft.attributes == null) {
    return type.attributes;
  }
  return resolveAttributes(draft.attributes, [...(described?.attributes ?? []), ...type.attributes], type.name);
}
