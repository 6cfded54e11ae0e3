/** Changes of a published type: what the client says, and what follows from it for what is computed from the data. */

import { isDeepStrictEqual } from 'node:util';
import type { FeatureTypeDescription } from '../../data/vector/port.ts';
import type { SqlView } from '../../data/vector/sql-view.ts';
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { resolveNewName } from '../../records/names.ts';
import { checkDimensions } from '../resources/dimensions.ts';
import { computesNativeBounds, type EmptiedLatLonBox, latLonBoundsAfter } from '../resources/resource-bounds.ts';
import { changedRemarks, changedSettings, kept, knownSrs, refuseOtherPlace } from '../resources/resource-draft.ts';
import { updateResource } from '../resources/write-resource.ts';
import type { StoreData } from '../stores/store-data.ts';
import { filterWarnings, withReadableFilter } from './cql-filter.ts';
import {
  defaultServiceSettings,
  type FeatureType,
  type FeatureTypeDraft,
  featureTypeKind,
  SRS_FIELD,
} from './feature-type.ts';
import { type FeatureTypePlace, type FeatureTypeView, findFeatureType } from './feature-type-view.ts';
import { featureTypeNameRule } from './feature-types.ts';
import { nativeCrsOf } from './publish-feature-type.ts';
import {
  needsNativeAttributes,
  type PublishedAttribute,
  publishedAttributes,
  remarksKept,
} from './published-attribute.ts';
import { sqlViewIn } from './virtual-table.ts';

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
  place: FeatureTypePlace & { readonly name: string },
  sent: FeatureTypeDraft,
  options: FeatureTypeChange,
): Promise<{ readonly warnings: readonly string[] }> {
  for (;;) {
    const before = await findFeatureType(catalog, place, place.name);
    const draft = await withReadableFilter(await withKnownSrs(sent, before.type), before.type.cqlFilter);
    refuseOtherPlace(before, draft);
    checkPrecondition(options.precondition, before.version);
    const source = typeSource(before.type, draft);
    // Asked outside the change: all others would have to wait for a slow database.
    const described = needsData(before.type, draft, options) ? await describe(before, source, options.data) : undefined;
    const changed = await changedType(before.type, draft, described, options);
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
      return { warnings: await filterWarnings(draft, changed) };
    }
  }
}

/** Only what is new is looked up: a type may well be told in a system that just its database knows. */
async function withKnownSrs(draft: FeatureTypeDraft, { srs }: FeatureType): Promise<FeatureTypeDraft> {
  return draft.srs == null || draft.srs === srs ? draft : { ...draft, srs: await knownSrs(draft.srs, SRS_FIELD) };
}

function needsData(type: FeatureType, draft: FeatureTypeDraft, { recalculate }: FeatureTypeChange): boolean {
  return (
    sourceChanges(type, draft) ||
    computesBounds(type, draft, recalculate) ||
    (recalculate?.has('attributes') ?? false) ||
    draft.attributes === null ||
    needsNativeAttributes(draft.attributes ?? [], type.attributes)
  );
}

function computesBounds(
  type: FeatureType,
  draft: FeatureTypeDraft,
  recalculate: ReadonlySet<Recalculation> | null,
): boolean {
  const isOtherData = sourceChanges(type, draft);
  return computesNativeBounds(type, draft, { isOtherData, asked: recalculate?.has('nativebbox') });
}

/** Where the rows of a type come from after a change: a table of the data, or a query of the client. */
type TypeSource = { readonly nativeName: string } | { readonly query: SqlView };

function typeSource(type: FeatureType, draft: FeatureTypeDraft): TypeSource {
  const query = sqlViewIn(kept(draft.metadata, type.metadata) ?? {});
  return query === undefined ? { nativeName: draft.nativeName ?? type.nativeName } : { query };
}

function sourceChanges(type: FeatureType, draft: FeatureTypeDraft): boolean {
  return !isDeepStrictEqual(typeSource(type, draft), typeSource(type, {}));
}

async function describe(view: FeatureTypeView, source: TypeSource, data: StoreData): Promise<FeatureTypeDescription> {
  if ('query' in source) {
    return data.describeView(view, source.query);
  }
  const described = await data.describe(view, source.nativeName);
  if (described === undefined) {
    throw problem('native-type-unknown', { name: source.nativeName, store: view.store.name });
  }
  return described;
}

async function changedType(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  { recalculate, emptiedLatLonBox }: FeatureTypeChange,
): Promise<FeatureType> {
  const source = typeSource(type, draft);
  const nativeBounds = computesBounds(type, draft, recalculate)
    ? (described?.bounds ?? null)
    : kept(draft.nativeBounds, type.nativeBounds);
  const changed: FeatureType = {
    ...type,
    ...changedSettings(draft, type, defaultServiceSettings),
    ...changedRemarks(type, draft),
    ...changedReference(type, draft, described, recalculate),
    name: resolveNewName(type.name, draft.name, featureTypeNameRule),
    nativeName: 'query' in source ? source.query.name : source.nativeName,
    nativeBounds,
    attributes: changedAttributes(type, draft, described, recalculate?.has('attributes') ?? false),
  };
  const isUntouched =
    isDeepStrictEqual(changed.metadata, type.metadata) && isDeepStrictEqual(changed.attributes, type.attributes);
  // What has become wrong through the data alone must not stop another change.
  if (!isUntouched) {
    checkDimensions('featureType', changed);
  }
  const latLonBounds = await latLonBoundsAfter(type, changed, draft, {
    isOtherData: sourceChanges(type, draft),
    asked: recalculate?.has('latlonbbox'),
    emptied: emptiedLatLonBox,
  });
  return { ...changed, latLonBounds };
}

/** Other data brings its own reference, as a new box does; what was declared follows where it was that of the old data. */
function changedReference(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  recalculate: ReadonlySet<Recalculation> | null,
): Pick<FeatureType, 'srs' | 'nativeCrs'> {
  const srs = kept(draft.srs, type.srs);
  const nativeCrs = described === undefined ? {} : nativeCrsOf(described);
  // The same data may say nothing of it any more, since its last row is gone.
  const isAnew = computesBounds(type, draft, recalculate) && Object.keys(nativeCrs).length > 0;
  if (described === undefined || !(sourceChanges(type, draft) || isAnew)) {
    return { srs, nativeCrs: type.nativeCrs };
  }
  const isDerived = srs === type.srs && srs === (type.nativeCrs.code ?? null);
  return { srs: isDerived ? (nativeCrs.code ?? null) : srs, nativeCrs };
}

function changedAttributes(
  type: FeatureType,
  draft: FeatureTypeDraft,
  described: FeatureTypeDescription | undefined,
  isReread: boolean,
): readonly PublishedAttribute[] {
  if (described !== undefined && (isReread || draft.attributes === null)) {
    return described.attributes;
  }
  if (described !== undefined && sourceChanges(type, draft)) {
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    // The list of the old data, sent along as it was read, is not a wish.
    const isOld = isDeepStrictEqual(names(draft.attributes ?? []), names(type.attributes));
    return draft.attributes === undefined || isOld
      ? remarksKept(described.attributes, type.attributes)
      : publishedAttributes(draft.attributes ?? [], described.attributes, type.name);
  }
  if (draft.attributes == null) {
    return type.attributes;
  }
  return publishedAttributes(draft.attributes, [...(described?.attributes ?? []), ...type.attributes], type.name);
}
