/** Changes of a published type: what the client says, and what follows from it for what is computed from the data. */

import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
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
import { checkDimensions } from '../resources/dimensions.ts';
import { type EmptiedLatLonBox, mergeLatLonBounds, shouldComputeNativeBounds } from '../resources/resource-bounds.ts';
import { updateResource } from '../resources/write-resource.ts';
import type { StoreData } from '../stores/store-data.ts';
import { collectFilterWarnings, validateCqlFilter } from './cql-filter.ts';
import { type FeatureTypeLocator, type FeatureTypeView, findFeatureType } from './feature-type-view.ts';
import { featureTypeNameRule } from './feature-types.ts';
import { findNativeCrs } from './publish-feature-type.ts';
import { findSqlView } from './virtual-table.ts';

export type Recalculation = 'nativebbox' | 'latlonbbox' | 'attributes';

export const recalculations: readonly Recalculation[] = ['nativebbox', 'latlonbbox', 'attributes'];

export interface FeatureTypeChange {
  readonly data: StoreData;
  /** What to compute anew; null leaves it to what changes. */
  readonly recalculate: ReadonlySet<Recalculation> | null;
  readonly emptiedLatLonBox: EmptiedLatLonBox;
  readonly precondition: Precondition;
}

export async function changeFeatureType(
  catalog: Catalog,
  principal: Principal,
  place: FeatureTypeLocator & { readonly name: string },
  sent: FeatureTypeDraft,
  options: FeatureTypeChange,
): Promise<{ readonly warnings: readonly string[] }> {
  for (;;) {
    const before = await findFeatureType(catalog, place, place.name);
    const draft = await validateCqlFilter(await resolveDraftSrs(sent, before.type), before.type.cqlFilter);
    checkSameStore(before, draft);
    checkPrecondition(options.precondition, before.version);
    const source = resolveTypeSource(before.type, draft);
    // Asked outside the change: all others would have to wait for a slow database.
    const described = needsData(before.type, draft, options)
      ? await describeSource(before, source, options.data)
      : undefined;
    const changed = await mergeTypeDraft(before.type, draft, described, options);
    const what = `change feature type ${place.name} in ${place.workspace}`;
    const isDone = await catalog.change(principal, what, async (transaction) => {
      const view = await findFeatureType(transaction, place, place.name);
      checkPrecondition(options.precondition, view.version);
      // Somebody was faster: what follows from the change has to be worked out anew.
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

/** Only what is new is looked up: a type may well be told in a system that just its database knows. */
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

/** Where the rows of a type come from after a change: a table of the data, or a query of the client. */
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
    attributes: mergeAttributeDrafts(type, draft, described, recalculate?.has('attributes') ?? false),
  };
  const isUntouched =
    isDeepStrictEqual(changed.metadata, type.metadata) && isDeepStrictEqual(changed.attributes, type.attributes);
  // What has become wrong through the data alone must not stop another change.
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

/** Other data brings its own reference, as a new box does; what was declared follows where it was that of the old data. */
function mergeReferenceSystem(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  recalculate: ReadonlySet<Recalculation> | null,
): Pick<FeatureType, 'srs' | 'nativeCrs'> {
  const srs = mergeValue(draft.srs, type.srs);
  const nativeCrs = described === undefined ? {} : findNativeCrs(described);
  // The same data may say nothing of it any more, since its last row is gone.
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
    // The list of the old data, sent along as it was read, is not a wish.
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
